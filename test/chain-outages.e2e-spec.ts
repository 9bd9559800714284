import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { answering, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, Shop, type ShopApplication } from './support/shop.js';
import { startTestGateway } from './support/test-gateway.js';

/** A node that is down or of another network, and several watchers at once; faulty nodes are in chain-engine.contract. */
describe('the chain watcher with failing nodes or concurrent instances', () => {
  let shop: Shop;
  let proxy: RpcProxy;
  let application: ShopApplication;

  beforeAll(async () => {
    shop = await Shop.open({}, async (node) => {
      proxy = await RpcProxy.start(node);
      return proxy.url;
    });
    application = await shop.application();
  });
  afterEach(() => proxy.setFaults({}));
  afterAll(async () => {
    await shop.close();
    await proxy.stop();
  });

  const cursor = async () =>
    (
      await shop.gateway.sql.query<{ height: string; epoch: string; halted_at: Date | null }>(
        'select height, epoch, halted_at from chain_cursors',
      )
    )[0];
  const health = () => shop.gateway.get(ChainsService).findHealth('ethereum');

  it('waits while the node is down, tells the customer, and then finds every payment', async () => {
    const [paid, asked] = [await shop.createPayment(application), await shop.createPayment(application)];
    const instructions = await shop.instructions(paid);
    proxy.setFaults({
      '*': () => ({ jsonrpc: '2.0', id: 1, error: { code: -32000, message: 'node is down' } }),
    });
    await shop.send(instructions);
    await shop.mine(3);
    expect(health()).toMatchObject({ ok: false });
    expect(await shop.status(paid)).toBe('OPEN');

    const ready = await shop.call('GET', '/api/health/ready', null);
    expect(ready.status).toBe(200);
    const path = `payment/${asked.id}/provider/ethereum/method/eth`;
    expect(await shop.checkout(asked, path)).toMatchObject({
      status: 503,
      body: { code: 'service_unavailable' },
    });
    expect(await shop.checkout(asked, `${asked.id}/payment-methods`)).toMatchObject({
      body: {
        data: expect.arrayContaining([expect.objectContaining({ unavailableReason: 'node_unavailable' })]),
      },
    });
    // What was shown before stays.
    expect((await shop.instructions(paid)).address).toBe(instructions.address);

    proxy.setFaults({});
    await shop.mine(CONFIRMATIONS - 3);
    expect(health()).toMatchObject({ ok: true });
    expect(await shop.status(paid)).toBe('CONFIRMED');
    expect(await shop.checkout(asked, path)).toMatchObject({ status: 200 });
  });

  it('refuses a node of another network', async () => {
    await shop.gateway.close();
    shop.gateway = await shop.gateway.restart();
    proxy.setFaults({ eth_chainId: answering('0x1') });
    const before = await cursor();
    await shop.mine();
    expect(health()).toMatchObject({ ok: false, error: expect.stringContaining('31337') });
    expect(await cursor()).toEqual(before);
    proxy.setFaults({});
    await shop.settle();
    expect(health()).toEqual({ ok: true });
  });

  it('runs on one of two instances, and on the other once the first has stopped', async () => {
    const second = await startTestGateway(
      { CHAIN_ETHEREUM_RPC_URL: shop.chain.url, CHAIN_ETHEREUM_CHAIN_ID: '31337' },
      shop.gateway.clock,
      shop.gateway.databaseUrl,
    );
    const other = second.get(ChainWatcherService);
    const before = await cursor();
    await shop.chain.mine(2);
    expect(await other.runOnce('ethereum')).toBe(false);
    expect(await cursor()).toEqual(before);
    await shop.gateway.close();
    await other.drain('ethereum');
    expect(
      Number((await second.sql.query<{ height: string }>('select height from chain_cursors'))[0]?.height),
    ).toBe(await shop.chain.blockNumber());
    await second.close();
    shop.gateway = await shop.gateway.restart();
    await shop.watch();
  });

  it('writes nothing after it has lost its lease', async () => {
    const payment = await shop.createPayment(application);
    await shop.send(await shop.instructions(payment));
    // Another instance took over while this one was asleep, and has already written.
    await shop.gateway.sql.query('update chain_cursors set epoch = (select epoch + 1 from chain_leases)');
    await shop.chain.mine();
    const watcher = shop.gateway.get(ChainWatcherService);
    expect(await watcher.runOnce('ethereum')).toBe(true);
    expect(await shop.status(payment)).toBe('OPEN');
    // With the newer epoch in hand it goes on.
    await shop.gateway.sql.query('update chain_leases set epoch = (select epoch from chain_cursors)');
    shop.gateway = await shop.gateway.restart();
    await shop.settle();
    expect(await shop.status(payment)).toBe('FOUND');
  });

  it('halts on a fork deeper than its history instead of skipping blocks', async () => {
    await shop.chain.mine(400);
    const fresh = await startTestGateway({
      CHAIN_ETHEREUM_RPC_URL: shop.chain.url,
      CHAIN_ETHEREUM_CHAIN_ID: '31337',
    });
    const watcher = fresh.get(ChainWatcherService);
    await watcher.drain('ethereum');
    // Empty blocks would be mined again as they were.
    await shop.chain.reorg(200, [[{ to: shop.chain.account(1), value: 1n }, 0]]);
    await watcher.drain('ethereum');
    await shop.chain.mine(5);
    await watcher.drain('ethereum');
    const [halted] = await fresh.sql.query('select halted_at, halt_reason from chain_cursors');
    expect(halted).toEqual({ halted_at: expect.any(Date), halt_reason: expect.stringContaining('deeper') });
    await fresh.close();
  });
});
