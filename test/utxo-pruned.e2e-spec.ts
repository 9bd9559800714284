import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { answering, type Reply, RpcProxy, type SeenCall } from './support/rpc-proxy.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { bitcoinAccount, scriptOf } from './support/utxo-account.js';

const ACCOUNT = bitcoinAccount(Buffer.alloc(32, 5));
/** 100 USD at 50,000 USD for a bitcoin. */
const DUE = 200_000n;

describeWithNode('a node that has pruned the blocks of an outage', () => {
  let node: UtxoNode;
  let proxy: RpcProxy;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode();
    proxy = await RpcProxy.start(node.url);
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: proxy.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    application = await shop.application();
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await shop?.close();
    await proxy?.stop();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
  }

  async function asked(): Promise<{ payment: CreatedPayment; key: Buffer }> {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'btc', 'bitcoin');
    return { payment, key: scriptOf(ACCOUNT, address) };
  }

  /** As Bitcoin Core refuses a block that it has deleted. */
  const prunedBelow = (height: number) => ({
    getblock: async ({ id, params }: SeenCall, answer: () => Promise<Reply>) => {
      const header = await node.rpc<{ height: number }>('getblockheader', [params[0], true]);
      if (header.height >= height) return answer();
      return { id, error: { code: -1, message: 'Block not available (pruned data)' } };
    },
  });

  it.each([1, 4, 40])('credits what was paid in it once, and goes on, %d blocks later', async (later) => {
    const { payment: seen, key: seenKey } = await asked();
    await node.pay([{ key: seenKey, amount: DUE }]);
    await watch();
    expect(await shop.status(seen)).toBe('FOUND');

    const [{ payment, key }, { payment: open }] = [await asked(), await asked()];
    await node.pay([
      { key, amount: DUE / 2n },
      { key, amount: DUE - DUE / 2n },
    ]);
    await node.mine(2);
    await node.mine(later);
    const height = await node.height();
    proxy.setFaults(prunedBelow(height));
    await watch();
    for (const paid of [seen, payment])
      expect(await shop.payment(paid)).toMatchObject({
        status: 'CONFIRMED',
        receivedAmount: { amount: 10_000 },
      });
    expect((await shop.payment(payment)).transactions).toHaveLength(2);
    expect((await shop.payment(seen)).transactions).toHaveLength(1);
    expect(await shop.status(open)).toBe('OPEN');

    const skipped = await shop.gateway.sql.query<{ details: unknown }>(
      `select details from audit_log where act = 'chain.blocks_skipped' order by seq desc limit 1`,
    );
    expect(skipped).toEqual([{ details: expect.objectContaining({ to: height - 1, credited: 3 }) }]);
    // The next payment is seen as usual.
    proxy.setFaults({});
    const { payment: next, key: nextKey } = await asked();
    await node.pay([{ key: nextKey, amount: DUE }]);
    await node.mine(2);
    await watch();
    expect(await shop.status(next)).toBe('CONFIRMED');
  });

  it('waits, and says why, where its node cannot list unspent outputs', async () => {
    const { payment, key } = await asked();
    await watch();
    await node.pay([{ key, amount: DUE }]);
    await node.mine(5);
    const unsupported = ({ id }: SeenCall) => ({ id, error: { code: -32601, message: 'Method not found' } });
    proxy.setFaults({ ...prunedBelow(await node.height()), scantxoutset: unsupported });
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    const [condition] = await shop.gateway.sql.query(
      `select trouble from chain_conditions where chain = 'bitcoin'`,
    );
    expect(condition).toMatchObject({ trouble: expect.stringContaining('has pruned the blocks above') });

    proxy.setFaults({ ...prunedBelow(await node.height()), scantxoutset: answering({ success: false }) });
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    proxy.setFaults(prunedBelow(await node.height()));
    await watch();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });
});
