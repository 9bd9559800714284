import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { STANDARD_EVENTS } from '../src/applications/event-types.pure.js';
import { PaymentExpiry } from '../src/payments/payment-expiry.service.js';
import { describeWithNode, startUtxoNode, type UtxoNode } from './support/litecoind.js';
import { answering, changed, type RpcFault, RpcProxy } from './support/rpc-proxy.js';
import { Shop, type ShopApplication } from './support/shop.js';
import { bitcoinAccount, scriptOf } from './support/utxo-account.js';
import { UtxoAdapters } from './support/utxo-chain.js';

const ACCOUNT = bitcoinAccount(Buffer.alloc(32, 6));
/** 100 USD at 50,000 USD for a bitcoin. */
const DUE = 200_000n;
const NEVER_WAS = 'ab'.repeat(32);

/** The node has left its RPC warm-up, and has nothing of its mempool.dat yet (`loaded`: Bitcoin Core 0.18). */
const notFound: RpcFault = ({ id }) => ({ id, error: { code: -5, message: 'No such mempool transaction' } });
const emptyMempool = { getrawmempool: answering([]), getrawtransaction: notFound };
const saying = (loaded: boolean) => ({
  ...emptyMempool,
  getmempoolinfo: changed((info: object) => ({ ...info, loaded })),
});

describeWithNode('a restarted node that is still loading its mempool', () => {
  const adapters = new UtxoAdapters();
  let node: UtxoNode;
  let proxy: RpcProxy;
  let shop: Shop;
  let application: ShopApplication;

  beforeAll(async () => {
    node = await startUtxoNode({ txindex: false });
    proxy = await RpcProxy.start(node.url);
    shop = await Shop.open({
      CHAIN_BITCOIN_RPC_URL: proxy.url,
      CHAIN_BITCOIN_NETWORK: 'regtest',
      WALLET_BITCOIN_XPUB: ACCOUNT.publicExtendedKey,
    });
    shop.rates.setPrice('BTC', 'USD', '50000');
    application = await shop.application();
    await watch();
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await shop?.close();
    await adapters.close();
    await proxy?.stop();
    await node?.stop();
  });

  async function watch(): Promise<void> {
    await shop.gateway.get(ChainWatcherService).drain('bitcoin');
    await shop.settle();
  }

  /** A payment whose transaction waits. */
  async function found() {
    const payment = await shop.createPayment(application);
    const { address } = await shop.instructions(payment, 'btc', 'bitcoin');
    const txHash = await node.pay([{ key: scriptOf(ACCOUNT, address), amount: DUE }]);
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    return { payment, txHash };
  }
  const health = () => shop.gateway.get(ChainsService).findHealth('bitcoin');
  const asked = (method: string) => proxy.seen.filter((call) => call.method === method).length;

  it('reverts no payment that it does not find yet', async () => {
    const { payment } = await found();
    proxy.setFaults(saying(false));
    await watch();
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    // Before each look at the mempool, and for what that look did not show.
    expect(asked('getmempoolinfo')).toBe(4);
    expect(await shop.payment(payment)).toMatchObject({ transactions: [{ status: 'PENDING' }] });
    // The chain is read as ever meanwhile, and can be paid on.
    expect(health()).toEqual({ ok: true });

    proxy.setFaults({});
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    expect(asked('getmempoolinfo')).toBe(1);
    await node.mine(2);
    await watch();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it('keeps payments of reverted blocks pending', async () => {
    const { payment } = await found();
    await node.mine();
    await watch();
    await node.fork(2);
    proxy.setFaults(saying(false));
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
    expect(await shop.payment(payment)).toMatchObject({ transactions: [{ status: 'PENDING' }] });
    proxy.setFaults({});
    await node.mine(2);
    await watch();
    expect(await shop.status(payment)).toBe('CONFIRMED');
  });

  it.each<[string, Record<string, RpcFault>]>([
    ['it has read it all', saying(true)],
    ['it is of a kind that does not say', { ...emptyMempool, getmempoolinfo: answering({ size: 0 }) }],
    [
      'it has no such method',
      {
        ...emptyMempool,
        getmempoolinfo: ({ id }) => ({ id, error: { code: -32601, message: 'Method not found' } }),
      },
    ],
  ])('reverts missing payments once %s', async (_when, faults) => {
    const { payment } = await found();
    proxy.setFaults(faults);
    await watch();
    expect(await shop.status(payment)).toBe('OPEN');
    expect(proxy.faulted).toBeGreaterThan(0);
    proxy.setFaults({});
    await watch();
    expect(await shop.status(payment)).toBe('FOUND');
  });

  it('lets no payment expire before the mempool is loaded', async () => {
    const { clock, sql } = shop.gateway;
    const expiring = await shop.application({ events: [...STANDARD_EVENTS, 'payment.expired'] });
    const expiresAt = new Date(clock.now().getTime() + 90_000).toISOString();
    const [paid, unpaid] = [
      await shop.createPayment(expiring, { expiresAt }),
      await shop.createPayment(expiring, { expiresAt }),
    ];
    const { address } = await shop.instructions(paid, 'btc', 'bitcoin');
    await shop.instructions(unpaid, 'btc', 'bitcoin');
    // Sent in time, and not read before the node is started again.
    await node.pay([{ key: scriptOf(ACCOUNT, address), amount: DUE }]);
    proxy.setFaults(saying(false));
    const sweep = async () => {
      await watch();
      await shop.gateway.get(PaymentExpiry).runOnce();
      const rows = await sql.query<{ id: string }>(
        `select payment_id as id from payment_events where type = 'payment.expired'`,
      );
      return rows.map(({ id }) => id);
    };
    clock.advanceSeconds(600);
    await node.rpc('setmocktime', [Math.floor(clock.now().getTime() / 1_000)]);
    // Without what waits.
    await node.rpc('generateblock', [await node.rpc('getnewaddress'), []]);
    expect(await sweep()).toEqual([]);

    proxy.setFaults({});
    clock.advanceSeconds(600);
    expect(await sweep()).toEqual([unpaid.id]);
    expect(await shop.status(paid)).toBe('FOUND');
    await node.rpc('setmocktime', [0]);
  });

  it('has its mempool read again when loading may have finished in between', async () => {
    const txHash = await node.pay([{ key: scriptOf(ACCOUNT, await anAddress()), amount: DUE }]);
    const adapter = adapters.create(proxy.url);
    let times = 0;
    proxy.setFaults({
      getrawtransaction: (call, answer) => (times++ === 0 ? notFound(call, answer) : answer()),
    });
    expect(await adapter.transactionFate(txHash)).toBe('mempool');
    expect(times).toBe(2);
  });

  it('leaves a payout undecided', async () => {
    const adapter = adapters.create(proxy.url);
    expect(await node.rpc('getmempoolinfo')).toMatchObject({ loaded: true });
    expect(await adapter.transaction(NEVER_WAS)).toEqual({ fate: 'unknown' });
    proxy.setFaults(saying(false));
    await expect(adapter.transaction(NEVER_WAS)).rejects.toThrow('still loading its mempool');
    expect(await adapter.transactionFate(NEVER_WAS)).toBe('mempool');
    expect(asked('getmempoolinfo')).toBe(2);
  });

  async function anAddress(): Promise<string> {
    const payment = await shop.createPayment(application);
    return (await shop.instructions(payment, 'btc', 'bitcoin')).address;
  }
});
