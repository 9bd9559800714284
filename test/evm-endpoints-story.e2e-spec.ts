/**
 * @inOrder One chain behind endpoints that fail one after the other.
 */
import { ChainWatcherService } from '../src/chain-watcher/chain-watcher.service.js';
import { ChainsService } from '../src/chains/chains.service.js';
import { MetricsService } from '../src/operations/metrics/metrics.service.js';
import { Reconciliation } from '../src/operations/reconciliation/reconciliation.service.js';
import { NO_TRANSACTIONS, withoutLogs } from './support/evm-faults.js';
import type { Hex } from './support/anvil.js';
import { answering, changed, type RpcFault, raw, RpcProxy } from './support/rpc-proxy.js';
import { CONFIRMATIONS, type CreatedPayment, Shop, type ShopApplication } from './support/shop.js';

type Json = Record<string, unknown>;

const DUE = 10n ** 18n / 20n;

let shop: Shop;
let faulty: RpcProxy;
let healthy: RpcProxy;
let application: ShopApplication;

/** A shop whose node stands behind two endpoints: the preferred one is faulty. */
async function open(env: Record<string, string> = {}): Promise<void> {
  shop = await Shop.open(env, async (node) => {
    [faulty, healthy] = [await RpcProxy.start(node), await RpcProxy.start(node)];
    return `${faulty.url},${healthy.url}`;
  });
  application = await shop.application();
}

async function close(): Promise<void> {
  await shop.close();
  await Promise.all([faulty.stop(), healthy.stop()]);
}

afterEach(() => {
  for (const proxy of [faulty, healthy]) proxy.setFaults({});
  // No endpoint rests any longer.
  shop.gateway.clock.advanceSeconds(61);
});

const endpoints = () => shop.gateway.get(ChainsService).endpoints('ethereum');
const health = () => shop.gateway.get(ChainsService).findHealth('ethereum');

const metric = () => shop.gateway.get(MetricsService).render();

async function cursor(): Promise<{ height: number; hash: string }> {
  const [row] = await shop.gateway.sql.query<{ height: string; hash: string }>(
    'select height, hash from chain_cursors',
  );
  if (!row) throw new Error('no cursor');
  return { height: Number(row.height), hash: row.hash };
}

/** Every transfer that is on record for a payment. */
async function transfers({ id }: CreatedPayment) {
  return shop.gateway.sql.query<{ amount: string; state: string }>(
    'select amount, state from payment_transfers where payment_id = $1 order by asset desc',
    [id],
  );
}

async function payment(): Promise<{ payment: CreatedPayment; address: Hex }> {
  const created = await shop.createPayment(application);
  return { payment: created, address: (await shop.instructions(created)).address as Hex };
}

describe('a chain behind two endpoints, one of which returns wrong answers', () => {
  beforeAll(() => open());
  afterAll(close);

  it('pauses the endpoint that returns wrong answers and uses the other', async () => {
    const { payment: paid } = await payment();
    await shop.send(await shop.instructions(paid));
    faulty.setFaults({ trace_block: answering([]) });
    await shop.mine(CONFIRMATIONS);
    expect(faulty.faulted).toBeGreaterThan(0);
    expect(health()).toEqual({ ok: true });
    expect(endpoints()[0]?.state).not.toBe('ok');
    expect(endpoints()[1]).toMatchObject({ state: 'ok', failures: 0 });
    expect(await shop.status(paid)).toBe('CONFIRMED');
  });

  it('credits payments without waiting for a replica that has fallen behind', async () => {
    const { payment: paid } = await payment();
    await shop.send(await shop.instructions(paid));
    const behind = await shop.chain.blockNumber();
    faulty.setFaults({
      eth_getBlockByNumber: async (call, answer) => {
        const [asked] = call.params;
        if (asked !== 'latest' && Number(asked) > behind)
          return { jsonrpc: '2.0', id: call.id, result: null };
        if (asked !== 'latest') return answer();
        const result = await shop.chain.rpc('eth_getBlockByNumber', [`0x${behind.toString(16)}`, false]);
        return { jsonrpc: '2.0', id: call.id, result };
      },
    });
    await shop.mine(CONFIRMATIONS);
    expect(faulty.faulted).toBeGreaterThan(0);
    expect(endpoints()).toMatchObject([{ lagBlocks: CONFIRMATIONS }, { lagBlocks: 0 }]);
    expect(await shop.status(paid)).toBe('CONFIRMED');
  });

  it('writes nothing while both endpoints are wrong, and everything once one is right', async () => {
    const { payment: paid } = await payment();
    await shop.send(await shop.instructions(paid, 'usdt'));
    const before = await cursor();
    for (const proxy of [faulty, healthy]) proxy.setFaults(withoutLogs);
    await shop.mine(CONFIRMATIONS);
    expect(faulty.faulted).toBeGreaterThan(0);
    expect(healthy.faulted).toBeGreaterThan(0);
    expect(health()).toMatchObject({ ok: false });
    expect(await cursor()).toEqual(before);
    expect(await transfers(paid)).toEqual([]);
    healthy.setFaults({});
    await shop.settle();
    expect(await shop.status(paid)).toBe('CONFIRMED');
  });

  it('rolls nothing back for a fork that one endpoint reports, and does for one that both report', async () => {
    const { payment: paid, address } = await payment();
    await shop.chain.sendEth({ to: address, value: DUE });
    await shop.mine(2);
    expect(await shop.status(paid)).toBe('FOUND');
    const from = (await cursor()).height - 1;
    const other = (hash: unknown) => `0x${String(hash).slice(2).split('').toReversed().join('')}`;
    faulty.setFaults({
      eth_getBlockByNumber: changed((block: Json | null) => {
        const at = Number(block?.['number']);
        if (block === null || at < from) return block;
        const parentHash = at > from ? other(block['parentHash']) : block['parentHash'];
        return { ...block, hash: other(block['hash']), parentHash, ...NO_TRANSACTIONS };
      }),
    });
    const before = await cursor();
    await shop.chain.mine(2);
    // A step that finds out who is wrong writes nothing; the next one asks the other.
    await shop.gateway.get(ChainWatcherService).runOnce('ethereum');
    expect(await cursor()).toEqual(before);
    await shop.settle();
    expect(faulty.faulted).toBeGreaterThan(1);
    expect(await transfers(paid)).toMatchObject([{ state: 'pending', amount: String(DUE) }]);
    expect(endpoints()[0]).toMatchObject({ state: 'resting' });
    expect(await cursor()).toEqual({
      height: await shop.chain.blockNumber(),
      hash: await shop.chain.blockHash(await shop.chain.blockNumber()),
    });

    faulty.setFaults({});
    await shop.chain.reorg(5, [[{ to: shop.chain.account(1), value: 1n }, 0]]);
    await shop.mine(1);
    expect(await transfers(paid)).toMatchObject([{ state: 'orphaned' }]);
    expect(await shop.status(paid)).toBe('OPEN');
  });

  it('starts when one endpoint is of another chain, and does not start when all are', async () => {
    faulty.setFaults({ eth_chainId: answering('0x1') });
    shop.gateway = await shop.gateway.restart();
    const { payment: paid } = await payment();
    await shop.send(await shop.instructions(paid));
    await shop.mine(CONFIRMATIONS);
    expect(await shop.status(paid)).toBe('CONFIRMED');
    expect(new Set(faulty.seen.map(({ method }) => method))).toEqual(new Set(['eth_chainId']));
    expect(endpoints()).toMatchObject([{ state: 'refused' }, { state: 'ok' }]);

    healthy.setFaults({ eth_chainId: answering('0x38') });
    shop.gateway = await shop.gateway.restart();
    const before = await cursor();
    await shop.mine();
    expect(healthy.faulted).toBeGreaterThan(0);
    expect(health()).toEqual({
      ok: false,
      error: expect.stringMatching(/endpoint 1: .*chain id 1, expected 31337; endpoint 2: .*chain id 56/),
    });
    expect(await cursor()).toEqual(before);
    for (const proxy of [faulty, healthy]) proxy.setFaults({});
    await shop.settle();
    expect(health()).toEqual({ ok: true });
  });
});

describe('a large transfer', () => {
  beforeAll(() => open({ CHAIN_ETHEREUM_AGREE_FROM: 'ETH:0.05' }));
  afterAll(close);

  it('that only one endpoint reports is not recorded', async () => {
    const { payment: paid, address } = await payment();
    await shop.chain.sendEth({ to: address, value: DUE / 10n });
    const before = await cursor();
    faulty.setFaults({
      trace_block: changed((traces: Json[]) =>
        traces.map((trace) => {
          const action = trace['action'] as Json;
          if (action['to'] !== address.toLowerCase()) return trace;
          return { ...trace, action: { ...action, value: `0x${DUE.toString(16)}` } };
        }),
      ),
    });
    await shop.mine(CONFIRMATIONS);
    expect(faulty.faulted).toBeGreaterThan(0);
    expect(health()).toEqual({
      ok: false,
      error: expect.stringContaining('disagree about a large transfer'),
    });
    expect(await transfers(paid)).toEqual([]);
    expect(await cursor()).toEqual(before);
    faulty.setFaults({});
    await shop.settle();
    expect(await transfers(paid)).toEqual([{ amount: String(DUE / 10n), state: 'confirmed' }]);
  });

  it('waits alone while the second endpoint is down, and counts once that is back', async () => {
    const [large, small] = [await payment(), await payment()];
    healthy.setFaults({ '*': raw('oops', 502) });
    await shop.chain.sendEth({ to: small.address, value: DUE / 2n });
    await shop.chain.sendEth({ to: large.address, value: DUE });
    await shop.mine(CONFIRMATIONS);
    expect(healthy.faulted).toBeGreaterThan(0);
    expect(await transfers(small.payment)).toMatchObject([{ state: 'confirmed' }]);
    expect(await shop.status(large.payment)).toBe('FOUND');
    expect(await metric()).toContain('gateway_chain_transfers_awaiting_agreement{chain="ethereum"} 1\n');
    const { differences } = await shop.gateway.get(Reconciliation).run({ limit: 100, budget: null });
    expect(differences).toEqual([]);
    // A lie of the first endpoint would still be there; what counts is the word of the second.
    shop.gateway = await shop.gateway.restart();
    await shop.mine();
    expect(await shop.status(large.payment)).toBe('FOUND');
    healthy.setFaults({});
    shop.gateway.clock.advanceSeconds(60);
    await shop.settle();
    expect(await shop.status(large.payment)).toBe('CONFIRMED');
    expect(await metric()).toContain('gateway_chain_transfers_awaiting_agreement{chain="ethereum"} 0\n');
  });
});

describe('a chain that is settled when final', () => {
  beforeAll(() => open({ CHAIN_ETHEREUM_FINALITY: 'finalized', CHAIN_ETHEREUM_CONFIRMATIONS: '4' }));
  afterAll(close);

  const finalAt = (height: () => Promise<number>): RpcFault => {
    return async (call, answer) => {
      if (call.params[0] !== 'finalized') return answer();
      const params = [`0x${(await height()).toString(16)}`, false];
      return { jsonrpc: '2.0', id: call.id, result: await shop.chain.rpc('eth_getBlockByNumber', params) };
    };
  };

  it('counts funds once their block is final, not when it is merely safe', async () => {
    const { payment: paid } = await payment();
    for (const proxy of [faulty, healthy]) proxy.setFaults({});
    await shop.send(await shop.instructions(paid));
    // The test chain's final block is two below its tip.
    await shop.mine(2);
    expect(await shop.status(paid)).toBe('FOUND');
    await shop.mine();
    expect(await shop.status(paid)).toBe('CONFIRMED');
    const tags = [...faulty.seen, ...healthy.seen].map(({ params }) => params[0]);
    expect(tags).toContain('finalized');
    expect(tags).not.toContain('safe');
  });

  it('uses the lowest final block that an endpoint reports, whatever the depth of the funds', async () => {
    const { payment: paid } = await payment();
    await shop.send(await shop.instructions(paid));
    const before = await shop.chain.blockNumber();
    const [ahead, behind] = [finalAt(() => shop.chain.blockNumber()), finalAt(async () => before)];
    faulty.setFaults({ eth_getBlockByNumber: ahead });
    healthy.setFaults({ eth_getBlockByNumber: behind });
    await shop.mine(20);
    expect(faulty.faulted).toBeGreaterThan(0);
    expect(healthy.faulted).toBeGreaterThan(0);
    expect(await shop.status(paid)).toBe('FOUND');
    // Deep enough by far: only the last confirmation counts, and its time is unknown.
    const { confirmations } = await shop.instructions(paid);
    expect(confirmations).toMatchObject({ seen: 3, required: 4, estimatedSecondsRemaining: null });
    // Without a new block: what is final moves by itself.
    healthy.setFaults({});
    await shop.settle();
    expect(await shop.status(paid)).toBe('CONFIRMED');
  });

  it('confirms nothing when the final block differs from the applied one', async () => {
    const { payment: paid } = await payment();
    await shop.send(await shop.instructions(paid));
    const wrong: RpcFault = async (call, answer) => {
      const reply = await answer();
      if (call.params[0] !== 'finalized') return reply;
      return { ...reply, result: { ...(reply.result as Json), hash: `0x${'ab'.repeat(32)}` } };
    };
    for (const proxy of [faulty, healthy]) proxy.setFaults({ eth_getBlockByNumber: wrong });
    await shop.mine(10);
    expect(await shop.status(paid)).toBe('FOUND');
    for (const proxy of [faulty, healthy]) proxy.setFaults({});
    await shop.settle();
    expect(await shop.status(paid)).toBe('CONFIRMED');
  });

  it('does not start when no endpoint reports a final block', async () => {
    const none: RpcFault = async (call, answer) =>
      call.params[0] === 'finalized' ? { jsonrpc: '2.0', id: call.id, result: null } : answer();
    for (const proxy of [faulty, healthy]) proxy.setFaults({ eth_getBlockByNumber: none });
    shop.gateway = await shop.gateway.restart();
    await shop.chain.mine();
    const before = await cursor();
    await shop.gateway.get(ChainWatcherService).runOnce('ethereum');
    expect(faulty.faulted).toBeGreaterThan(0);
    expect(health()).toEqual({
      ok: false,
      error: expect.stringContaining('wait for the finalized block, and no node names one'),
    });
    expect(await cursor()).toEqual(before);
    for (const proxy of [faulty, healthy]) proxy.setFaults({});
    shop.gateway = await shop.gateway.restart();
    await shop.settle();
    expect(health()).toEqual({ ok: true });
  });
});
