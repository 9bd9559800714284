/** @inOrder One chain that grows, forks and grows again; each story begins where the chain was left. */
import { setTimeout as delay } from 'node:timers/promises';
import { createApp } from '../src/app.js';
import { ChainLeaseService } from '../src/chain-watcher/chain-lease.service.js';
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { EsploraServer } from './support/esplora.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';
import { newScriptKey } from './support/utxo-chain.js';
import { logSink } from './support/leaks/watch-leaks.js';
import { bitcoinAccount, scriptOf } from './support/utxo-account.js';

const ACCOUNT = bitcoinAccount(Buffer.alloc(32, 5));
/** 100 USD at 50,000 USD for a bitcoin. */
const DUE = 200_000n;
const CONFIRMATIONS = 2;

type Transport = 'a node' | 'an Esplora endpoint';

describe.each<Transport>(['a node', 'an Esplora endpoint'])('through %s', (transport) =>
  describeWithNode('a payment in bitcoin', () => describePayments(transport)),
);

function describePayments(transport: Transport): void {
  let node: UtxoNode;
  let esplora: EsploraServer | null = null;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode();
    if (transport !== 'a node') esplora = await EsploraServer.start(node);
    shop = await Shop.open({
      ...(esplora ? { CHAIN_BITCOIN_ESPLORA_URL: esplora.url } : { CHAIN_BITCOIN_RPC_URL: node.url }),
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    application = await shop.application();
    await watch();
  });
  afterAll(async () => {
    await shop?.close();
    await esplora?.stop();
    await node?.stop();
  });

  /** The watcher of this chain, then everything else. */
  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
  }

  async function mine(blocks = 1): Promise<void> {
    await node.mine(blocks);
    await watch();
  }

  async function asked(fields: Record<string, unknown> = {}) {
    const payment = await shop.createPayment(application, fields);
    const instructions = await shop.instructions(payment, 'btc', 'bitcoin');
    return { payment, instructions, key: scriptOf(ACCOUNT, instructions.address) };
  }

  async function rows({ id }: CreatedPayment) {
    return shop.gateway.sql.query<{ tx_hash: string; ordinal: string; state: string; amount: string }>(
      'select tx_hash, ordinal, state, amount from payment_transfers where payment_id = $1 order by seen_at, id',
      [id],
    );
  }

  it('is offered with a fresh address, an exact amount and a BIP21 link', async () => {
    const { payment, instructions } = await asked();
    expect(instructions).toMatchObject({
      provider: 'bitcoin',
      method: 'btc',
      blockchain: { slug: 'bitcoin', name: 'Bitcoin', chainId: null, testnet: true },
      token: null,
      address: expect.stringMatching(/^bcrt1q[0-9a-z]{38}$/),
      amount: { atomic: '200000', formatted: '0.00200000 BTC' },
      confirmations: { seen: 0, required: CONFIRMATIONS },
      paymentUri: `bitcoin:${instructions.address}?amount=0.00200000`,
      qrCode: { content: `bitcoin:${instructions.address}?amount=0.00200000` },
    });
    const methods = await shop.checkout<{ provider: string; method: string; available: boolean }[]>(
      payment,
      `${payment.id}/payment-methods`,
    );
    expect(methods.body.data).toContainEqual(
      expect.objectContaining({
        provider: 'bitcoin',
        method: 'btc',
        available: true,
        confirmationsRequired: 2,
        estimatedConfirmationSeconds: 1_200,
      }),
    );
    expect((await shop.instructions(payment, 'btc', 'bitcoin')).address).toBe(instructions.address);
  });

  const itAtEndpoints = (name: string, test: () => Promise<void>) => transport !== 'a node' && it(name, test);
  itAtEndpoints('is seen at the next look when the endpoint would not show all that waits', async () => {
    const { payment, key } = await asked();
    await node.pay([{ key, amount: DUE }]);
    if (esplora) esplora.fault = (path) => (path.endsWith('/hex') ? { status: 429, body: '' } : null);
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    expect(shop.gateway.get(ChainsService).findHealth('bitcoin')).toEqual({ ok: true });
    if (esplora) esplora.fault = null;
    shop.gateway.clock.advanceSeconds(5);
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
  });

  it('is seen before any block, received at two confirmations, and confirmed', async () => {
    const { payment, key } = await asked();
    const txHash = await node.pay([{ key, amount: DUE }]);
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      receivedAmount: { amount: 0 },
      transactions: [{ txHash, status: 'PENDING', confirmations: 0, amount: { atomic: '200000' } }],
    });
    await mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      transactions: [{ status: 'PENDING', confirmations: 1 }],
    });
    await mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      transactions: [{ status: 'CONFIRMED', confirmations: 2 }],
    });
    expect(shop.events(payment)).toEqual(['payment.received', 'payment.completed']);
    expect(await rows(payment)).toHaveLength(1);
  });

  it('is shown to the customer on its page at each step', async () => {
    const { payment, instructions, key } = await asked();
    const { pathname, search } = new URL(payment.checkoutUrl);
    const link = `${shop.gateway.baseUrl}${pathname}${search}&provider=bitcoin&method=btc`;
    const page = async () => (await fetch(link)).text();
    const waiting = await page();
    expect(waiting).toContain('BTC on Bitcoin');
    expect(waiting).toContain(`href="bitcoin:${instructions.address}?amount=0.00200000"`);
    await node.pay([{ key, amount: DUE }]);
    await watch();
    expect(await page()).toContain('0 of 2 confirmations');
    await mine();
    expect(await page()).toContain('1 of 2 confirmations');
  });

  it('counts each output to its address, also two of one transaction', async () => {
    const { payment, key } = await asked();
    await node.pay([
      { key, amount: DUE / 2n },
      { key: newScriptKey(), amount: 9_999n },
      { key, amount: DUE / 2n },
    ]);
    await watch();
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND' });
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
    expect((await rows(payment)).map(({ ordinal }) => ordinal)).toEqual(['vout:0', 'vout:2']);
  });

  it('counts a transaction with a raised fee once, with its newest hash', async () => {
    const { payment, key } = await asked();
    const coin = await node.coin(DUE * 2n);
    const slow = await node.broadcast(await node.sign([coin], [{ key, amount: DUE }]));
    await watch();
    const quick = await node.broadcast(await node.sign([coin], [{ key, amount: DUE }], 50_000n));
    await watch();
    const { status, transactions } = await shop.payment(payment);
    expect(status).toBe('FOUND');
    expect(transactions).toMatchObject([
      { txHash: slow, status: 'REPLACED', creditedAmount: { amount: 0 } },
      { txHash: quick, status: 'PENDING', creditedAmount: { amount: 10_000 } },
    ]);
    const { pendingAmount, remainingAmount } = await shop.instructions(payment, 'btc', 'bitcoin');
    expect([pendingAmount.amount, remainingAmount.amount]).toEqual([Number(DUE), 0]);
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
  });

  it('counts the transaction of the block when the mempool had another one', async () => {
    const { payment, key } = await asked();
    const coin = await node.coin(DUE * 2n);
    // Signed while the coin is free; the second one never enters this node's mempool.
    const [first, second] = [
      await node.sign([coin], [{ key, amount: DUE }]),
      await node.sign([coin], [{ key, amount: DUE }], 60_000n),
    ];
    const seen = await node.broadcast(first);
    await watch();
    await node.mineOnly([second]);
    await shop.gateway.get(ChainWatcherService).runOnce('bitcoin');
    // In the very transaction that applies the block, before the mempool is asked.
    expect((await rows(payment)).map(({ tx_hash: hash, state }) => [hash === seen, state])).toEqual([
      [true, 'replaced'],
      [false, 'pending'],
    ]);
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({ status: 'CONFIRMED', overpaidAmount: null });
  });

  it('is OPEN again when its coins are spent elsewhere, and can be paid again', async () => {
    const { payment, key } = await asked();
    const coin = await node.coin(DUE * 2n);
    await node.broadcast(await node.sign([coin], [{ key, amount: DUE }]));
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    await node.broadcast(await node.sign([coin], [{ key: newScriptKey(), amount: DUE }], 50_000n));
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      foundAt: null,
      transactions: [{ status: 'REPLACED' }],
    });
    await node.pay([{ key, amount: DUE }]);
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
  });

  it('is OPEN again when a block spends its coins elsewhere', async () => {
    const { payment, key } = await asked();
    const coin = await node.coin(DUE * 2n);
    const elsewhere = await node.sign([coin], [{ key: newScriptKey(), amount: DUE }], 50_000n);
    await node.broadcast(await node.sign([coin], [{ key, amount: DUE }]));
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    // Two blocks in one step: what the first one spends counts as well.
    await node.mineOnly([elsewhere]);
    await node.mineOnly();
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'OPEN',
      transactions: [{ status: 'REPLACED' }],
    });
  });

  it('is pending again after a reorg of three blocks, and received once it is confirmed again', async () => {
    const { payment, key } = await asked();
    const txHash = await node.pay([{ key, amount: DUE }]);
    await node.mine();
    await watch();
    await node.mineOnly();
    // Not looked at while it reaches its depth: the fork takes all three.
    await node.mineOnly();
    await node.fork(3);
    await node.mineOnly();
    await watch();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      transactions: [{ txHash, status: 'PENDING', confirmations: 0 }],
    });
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      transactions: [{ txHash, status: 'CONFIRMED' }],
    });
    expect(await rows(payment)).toHaveLength(1);
  });

  it('is OPEN again when a fork has another spending of its coins', async () => {
    const { payment, key } = await asked();
    const coin = await node.coin(DUE * 2n);
    const elsewhere = await node.sign([coin], [{ key: newScriptKey(), amount: DUE }], 50_000n);
    await node.broadcast(await node.sign([coin], [{ key, amount: DUE }]));
    await mine();
    expect(await shop.payment(payment)).toMatchObject({
      status: 'FOUND',
      transactions: [{ confirmations: 1 }],
    });
    await node.rollback(1);
    await node.mineOnly([elsewhere]);
    await node.mineOnly();
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
  });

  it('keeps the transaction of its block, whatever the mempool shows', async () => {
    const { payment, key } = await asked();
    const txHash = await node.pay([{ key, amount: DUE }]);
    await mine(CONFIRMATIONS);
    expect(await shop.status(payment)).toBe('CONFIRMED');
    // The node has taken its last blocks back and shows the transaction as waiting; no rival branch is there yet.
    await node.rollback(CONFIRMATIONS);
    expect(await node.rpc('getrawmempool')).toContain(txHash);
    await watch();
    expect(await rows(payment)).toMatchObject([{ tx_hash: txHash, state: 'confirmed' }]);
    // Now there is one, without it: it waits again.
    for (let i = 0; i <= CONFIRMATIONS; i++) await node.mineOnly();
    await watch();
    expect(await rows(payment)).toMatchObject([{ tx_hash: txHash, state: 'pending' }]);
    await mine(CONFIRMATIONS);
    expect(await rows(payment)).toMatchObject([{ tx_hash: txHash, state: 'confirmed' }]);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
    });
  });

  it('counts a coinbase when it can be spent, and what the customer sends beside it as usual', async () => {
    const [{ payment, key: only }, { payment: other, key }] = [await asked(), await asked()];
    for (const script of [only, key]) {
      const raw = [`raw(${script.toString('hex')})`];
      const found = await node.rpc<{ descriptor: string }>('getdescriptorinfo', raw);
      await node.rpc('generatetodescriptor', [1, found.descriptor]);
    }
    await node.pay([{ key, amount: DUE }]);
    await mine(CONFIRMATIONS);
    expect(await shop.status(other)).toBe('CONFIRMED');
    shop.gateway.clock.advanceSeconds(3_600); // In which the blocks come that its coinbase waits for.
    await mine(100 - CONFIRMATIONS - 2);
    const transactions = [{ confirmations: 100, confirmationsRequired: 101 }];
    expect(await shop.payment(payment)).toMatchObject({ status: 'FOUND', transactions });
    await mine();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is UNDERPAID until the rest arrives, and then complete', async () => {
    const { payment, key } = await asked();
    await node.pay([{ key, amount: DUE / 4n }]);
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'UNDERPAID',
      receivedAmount: { amount: 2_500 },
      underpaidAmount: { amount: 7_500 },
    });
    const rest = await shop.instructions(payment, 'btc', 'bitcoin');
    expect(rest.paymentUri).toBe(`bitcoin:${rest.address}?amount=0.00150000`);
    await node.pay([{ key, amount: BigInt(rest.remainingAmount.amount) }]);
    await watch();
    expect(await shop.status(payment)).toBe('UNDERPAID');
    await mine(CONFIRMATIONS);
    expect(await shop.payment(payment)).toMatchObject({
      status: 'CONFIRMED',
      receivedAmount: { amount: 10_000 },
      overpaidAmount: null,
    });
  });

  // An endpoint has nothing to wait at: there it is the timer that finds blocks.
  const itAtNodes = (name: string, test: () => Promise<void>) => transport === 'a node' && it(name, test);
  itAtNodes('is found by another process that hears of the block, without its timer', async () => {
    const { payment, key } = await asked();
    await node.pay([{ key, amount: DUE }]);
    // The first process no longer watches; the second one looks by itself once an hour.
    await shop.gateway.get(ChainLeaseService).releaseAll();
    const config = { ...shop.gateway.config, loops: true, chainPollIntervalMs: 3_600_000, port: 0 };
    const watcher = await createApp({ ...config, role: 'watcher' }, shop.gateway.clock, logSink);
    try {
      await watcher.init();
      const depth = async () => (await shop.payment(payment)).transactions[0]?.confirmations ?? 0;
      let [mined, looks] = [0, 0];
      // It may begin to listen after a block, and then hears of the next one.
      while ((await depth()) === 0) {
        if (looks++ % 40 === 0) mined += (await node.mine(), 1);
        await delay(50);
      }
      while ((await depth()) < mined) await delay(50);
      await node.mine();
      while ((await depth()) <= mined) await delay(50);
    } finally {
      await watcher.close();
    }
    await watch();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('is found in the mempool and in blocks after the gateway was down', async () => {
    const [mined, unmined] = [await asked(), await asked()];
    await shop.whileDown(async () => {
      await node.pay([{ key: mined.key, amount: DUE }]);
      await node.mine(CONFIRMATIONS);
      await node.pay([{ key: unmined.key, amount: DUE }]);
    });
    await watch();
    expect(await shop.status(mined.payment)).toBe('CONFIRMED');
    expect(await shop.status(unmined.payment)).toBe('FOUND');
    await mine(CONFIRMATIONS);
    expect(await shop.status(unmined.payment)).toBe('CONFIRMED');
  });
}
