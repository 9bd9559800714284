import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { bitcoinAccount, scriptOf } from './support/utxo-account.js';

const ACCOUNT = bitcoinAccount(Buffer.alloc(32, 6));

describeWithNode('required confirmations in bitcoin', () => {
  let node: UtxoNode;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode();
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: node.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      CHAIN_BITCOIN_CONFIRMATIONS: '1,BTC:0.02:3',
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    application = await shop.application();
    await watch();
  });
  afterAll(async () => {
    const report = await shop?.gateway.get(Reconciliation).run({ limit: 100, budget: null });
    await shop?.close();
    await node?.stop();
    expect(report?.differences).toEqual([]);
  });

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
  }

  async function mine(blocks = 1): Promise<void> {
    await node.mine(blocks);
    await watch();
  }

  async function asked(amount: number) {
    const payment = await shop.createPayment(application, { amount });
    const instructions = await shop.instructions(payment, 'btc', 'bitcoin');
    return { payment, instructions, key: scriptOf(ACCOUNT, instructions.address) };
  }

  it('are one for an ordinary payment and three for a large one', async () => {
    // 0.01 and 0.02 BTC.
    const [small, large] = [await asked(50_000), await asked(100_000)];
    expect(small.instructions.confirmations).toMatchObject({ seen: 0, required: 1 });
    expect(large.instructions.confirmations).toMatchObject({ seen: 0, required: 3 });
    await node.pay([
      { key: small.key, amount: 1_000_000n },
      { key: large.key, amount: 2_000_000n },
    ]);
    await watch();
    const waiting = await shop.instructions(large.payment, 'btc', 'bitcoin');
    expect(waiting.confirmations).toMatchObject({ seen: 0, required: 3, delayed: false });
    // In no block yet: the first one is waited for as well.
    expect(waiting.confirmations.estimatedSecondsRemaining).toBeGreaterThan(0);
    await mine();
    expect(await shop.status(small.payment)).toBe('CONFIRMED');
    expect(await shop.payment(large.payment)).toMatchObject({
      status: 'FOUND',
      transactions: [{ confirmations: 1, confirmationsRequired: 3 }],
    });
    await mine();
    expect(await shop.status(large.payment)).toBe('FOUND');
    await mine();
    expect(await shop.status(large.payment)).toBe('CONFIRMED');
  });

  it('are three for each small part of a large payment, whether seen in the mempool or not', async () => {
    const { payment, key } = await asked(100_000);
    await node.pay([{ key, amount: 500_000n }]);
    await watch();
    await node.pay([
      { key, amount: 500_000n },
      { key, amount: 500_000n },
    ]);
    await mine();
    await node.pay([{ key, amount: 500_000n }]);
    await mine(2);
    const { transactions, status } = await shop.payment(payment);
    expect(transactions.map((each) => each.confirmationsRequired)).toEqual([3, 3, 3, 3]);
    expect(status).toBe('FOUND');
    await mine();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('rise with the pending sum, before any of it counts', async () => {
    const { payment, key } = await asked(50_000);
    await node.pay([{ key, amount: 1_000_000n }]);
    await watch();
    const required = async () =>
      (await shop.payment(payment)).transactions.map((each) => each.confirmationsRequired);
    expect(await required()).toEqual([1]);
    await node.pay([{ key, amount: 1_000_000n }]);
    await watch();
    expect(await required()).toEqual([3, 3]);
    await mine();
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', receivedAmount: { amount: 0 } });
    await mine(2);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      overpaidAmount: { amount: 50_000 },
    });
  });
});
