import { Logger } from '@nestjs/common';
import { toHex } from 'viem';
import { ChainInconsistencyError } from '../src/chains/chain-adapter.pure.js';
import { creditsAt, describeChainAdapter } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { EvmAdapters, keyOf, mineOne, startDriver, type TestPool } from './support/evm-chain.js';
import { withoutLogs, withoutTransactions } from './support/evm-faults.js';
import { answering, changed, HANG, type RpcFault, raw, RpcProxy } from './support/rpc-proxy.js';
import { PATIENCE_MS, watchDeadlines } from './support/silence.js';

type Json = Record<string, unknown>;

/** One chain behind two endpoints: the first is the one that the operator prefers, and the one that returns wrong answers. */
const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;
const forgetDeadlines = watchDeadlines();
const adapters = new EvmAdapters();
let node: TestChain;
let faulty: RpcProxy;
let healthy: RpcProxy;
let token: Hex;
/** A block with a native and a token payment to us. */
let height: number;
let truth: unknown[];

const first = (list: Json[], change: Json) =>
  list.map((item, i) => (i === 0 ? { ...item, ...change } : item));
const receiptsOfAnother = {
  eth_getBlockReceipts: changed((list: Json[]) => first(list, { blockHash: OTHER_HASH })),
};
const methods = (proxy: RpcProxy) => new Set(proxy.seen.map(({ method }) => method));

function open(firstDeadlineMs = PATIENCE_MS, hedgeDelayMs?: number): TestPool {
  return adapters.createPool([faulty.url, healthy.url], { tokens: [token], firstDeadlineMs }, hedgeDelayMs);
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  [faulty, healthy] = [await RpcProxy.start(node.url), await RpcProxy.start(node.url)];
  token = (await node.deployToken()).address;
  await node.sendEth({ to: US, value: 7n });
  await node.sendToken({ token, to: US, value: 8n });
  height = await mineOne(node);
  truth = await creditsAt(adapters.create(node.url, { tokens: [token] }), height, [keyOf(US)]);
});
beforeEach(() => {
  for (const proxy of [faulty, healthy]) {
    proxy.setFaults({});
    proxy.hide([]);
  }
});
afterAll(async () => {
  await adapters.close();
  await Promise.all([faulty.stop(), healthy.stop()]);
  await node.stop();
  forgetDeadlines();
});

/** Everything that one node promises, two promise together: here the first is dead, or too slow. */
describe.each<[string, number, () => RpcFault]>([
  ['an endpoint that is down', PATIENCE_MS, () => raw('oops', 503)],
  ['an endpoint that never answers', 400, () => raw(HANG)],
  ['two good endpoints', PATIENCE_MS, () => (_call, answer) => answer()],
])('%s, and another', (what, firstDeadlineMs, fault) => {
  let faulted = 0;
  beforeEach(() => faulty.setFaults({ '*': fault() }));
  afterEach(() => (faulted += faulty.faulted));

  describeChainAdapter(what, async () => {
    const other = { chainId: 1, firstDeadlineMs };
    const misnamed = adapters.createPool([faulty.url, healthy.url], other).pool;
    return startDriver(node, open(firstDeadlineMs, 20).pool, misnamed);
  });
  afterAll(() => expect(faulted).toBeGreaterThan(0));
});

describe('an endpoint that fails', () => {
  it.each<[string, Record<string, RpcFault>]>([
    ['leaves out logs that its header promises', withoutLogs],
    ['sends receipts of another block', receiptsOfAnother],
    ['has no receipts of the block yet', { eth_getBlockReceipts: answering(null) }],
    ['sends no traces', { trace_block: answering([]) }],
    [
      'has another hash',
      { eth_getBlockByNumber: changed((block: Json) => ({ ...block, hash: OTHER_HASH })) },
    ],
    ['shows the block without its transactions', { eth_getBlockByNumber: withoutTransactions }],
    ['does not have the block', { eth_getBlockByNumber: answering(null) }],
    [
      'sends another height',
      { eth_getBlockByNumber: changed((block: Json) => ({ ...block, number: '0x1' })) },
    ],
    ['has no receipt', { eth_getTransactionReceipt: answering(null) }],
    [
      'has a receipt of another block',
      { eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, blockHash: OTHER_HASH })) },
    ],
    ['talks nonsense', { '*': answering('nonsense') }],
    ['talks HTML', { '*': raw('<html>Bad gateway</html>', 502) }],
    ['never answers', { '*': raw(HANG) }],
    ['never answers for receipts', { eth_getBlockReceipts: raw(HANG) }],
  ])('and %s is replaced by the other, and asked last', async (_what, faults) => {
    const { pool } = open();
    await pool.probe();
    faulty.setFaults(faults);
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
    expect(faulty.faulted).toBeGreaterThan(0);
    const [bad, good] = pool.report();
    if (faults['eth_getBlockByNumber'] && bad?.failures === 0) {
      // No block there is no failure: it lags behind, and others are asked for that block first. Which of two concurrent
      // requests ends last decides whether it still counts as lagging.
      expect(bad.tipHeight).toBe(height - 1);
      expect(['ok', 'lagging']).toContain(bad.state);
    } else {
      expect(bad).toMatchObject({ state: 'resting', failures: 1, lastError: expect.any(String) });
    }
    expect(good).toMatchObject({ state: 'ok', failures: 0, lastError: null });
    faulty.setFaults({});
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
    expect(faulty.seen).toEqual([]);
  });

  it('is not identified again while it is paused and another endpoint serves', async () => {
    const { pool } = open();
    await pool.probe();
    faulty.setFaults({ '*': raw('oops', 503) });
    await pool.block(height);
    expect(faulty.faulted).toBe(1);
    await pool.probe();
    expect(faulty.faulted).toBe(1);
    healthy.setFaults({ '*': raw('oops', 503) });
    await expect(pool.block(height)).rejects.toThrow('503');
    faulty.setFaults({});
    await pool.probe();
    expect(pool.report()[0]).toMatchObject({ capabilities: { native: 'trace_block' } });
    expect(methods(faulty)).toContain('eth_chainId');
  });

  it('credits nothing while all endpoints return wrong answers', async () => {
    const { pool } = open();
    await pool.probe();
    for (const proxy of [faulty, healthy]) proxy.setFaults(withoutLogs);
    await expect(creditsAt(pool, height, [keyOf(US)])).rejects.toThrow(ChainInconsistencyError);
    for (const { faulted } of [faulty, healthy]) expect(faulted).toBeGreaterThan(0);
    for (const proxy of [faulty, healthy]) proxy.setFaults({});
    // All rest, and are asked all the same: there is no other.
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
  });

  it('is paused longer after each failure, and is preferred again once it has recovered', async () => {
    const { pool, clock } = open();
    await pool.probe();
    for (const [failures, rest] of [
      [1, 1],
      [2, 2],
      [3, 4],
    ] as const) {
      faulty.setFaults({ trace_block: answering([]) });
      await pool.block(height);
      expect(faulty.faulted).toBeGreaterThan(0);
      expect(pool.report()[0]).toMatchObject({ state: 'resting', failures });
      faulty.setFaults({});
      await pool.block(height);
      expect(faulty.seen).toEqual([]);
      clock.advanceSeconds(rest);
      expect(pool.report()[0]).toMatchObject({ state: 'ok', failures });
    }
    await pool.block(height);
    expect(methods(faulty)).toContain('trace_block');
    // Who it is was asked again before.
    expect(methods(faulty)).toContain('eth_chainId');
    expect(pool.report()[0]).toMatchObject({ state: 'ok', failures: 0 });
  });

  it('by being slow costs only the hedging delay, and its late response is discarded', async () => {
    const { pool } = open(PATIENCE_MS, 50);
    await pool.probe();
    let release = (): void => {};
    const released = new Promise<void>((resolve) => (release = resolve));
    faulty.setFaults({
      eth_getTransactionReceipt: async (call) => {
        await released;
        return { jsonrpc: '2.0', id: call.id, result: null };
      },
    });
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
    expect(faulty.faulted).toBeGreaterThan(0);
    const [before] = pool.report();
    expect(before).toMatchObject({ state: 'resting', lastError: 'slower than another endpoint' });
    release();
    await pool.tip();
    expect(pool.report()[0]).toEqual(before);
  });
});

describe('the address of an endpoint', () => {
  it('appears neither in logs nor in reports nor in errors', async () => {
    const output: unknown[] = [];
    const collect = (...line: unknown[]) => output.push(line);
    Logger.overrideLogger({ log: collect, warn: collect, error: collect });
    try {
      const key = 'k3y-of-the-operator';
      const keyed = (url: string) => `${url.replace('//', `//user:${key}@`)}/v3/${key}?key=${key}`;
      faulty.setFaults({ '*': raw('<html>no such project</html>', 502) });
      const { pool } = adapters.createPool([keyed(faulty.url), keyed(healthy.url)]);
      await pool.probe();
      healthy.setFaults({ eth_chainId: answering('0x1'), '*': answering('nonsense') });
      const error = await pool.block(height).catch((failure: Error) => failure);
      await expect(pool.probe()).rejects.toThrow('no endpoint can be used');
      output.push(pool.report(), error instanceof Error ? error.stack : error);
      expect(faulty.faulted * healthy.faulted).toBeGreaterThan(0);
      const text = JSON.stringify(output);
      for (const what of ['endpoint in use', 'endpoint failed', 'endpoint refused'])
        expect(text).toContain(what);
      expect(text).not.toContain(key);
    } finally {
      Logger.overrideLogger(false);
    }
  });
});

describe('a stale replica', () => {
  it('does not lower the tip, and is asked last for recent data', async () => {
    const { pool } = open();
    await pool.probe();
    await node.mine(9);
    const tip = await node.blockNumber();
    const old = await node.rpc<Json>('eth_getBlockByNumber', ['0x1', false]);
    faulty.setFaults({
      eth_getBlockByNumber: async (call, answer) =>
        call.params[0] === 'latest' ? { jsonrpc: '2.0', id: call.id, result: old } : answer(),
    });
    expect(await pool.tip()).toMatchObject({ height: tip });
    expect(faulty.faulted).toBe(1);
    expect(pool.report()).toMatchObject([
      { state: 'lagging', tipHeight: 1, lagBlocks: tip - 1 },
      { state: 'ok', tipHeight: tip, lagBlocks: 0 },
    ]);
    faulty.setFaults({});
    await pool.block(height);
    expect(faulty.seen).toEqual([]);
  });
});

describe('an endpoint of another chain', () => {
  it('gets no further requests, and the other endpoint serves', async () => {
    faulty.setFaults({ eth_chainId: answering('0x1') });
    const { pool, clock } = open();
    await pool.probe();
    await pool.tip();
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
    expect(faulty.faulted).toBe(1);
    expect([...methods(faulty)]).toEqual(['eth_chainId']);
    expect(pool.report()).toMatchObject([
      {
        state: 'refused',
        lastError: expect.stringContaining('chain id 1, expected 31337'),
        capabilities: null,
      },
      { state: 'ok' },
    ]);
    // Once it was corrected it is found out by itself.
    faulty.setFaults({});
    clock.advanceSeconds(60);
    await pool.tip();
    await pool.probe();
    expect(pool.report()[0]).toMatchObject({ state: 'ok' });
  });

  it('prevents the chain from starting when no other endpoint is available', async () => {
    faulty.setFaults({ eth_chainId: answering('0x1') });
    healthy.setFaults({ '*': raw('oops', 503) });
    const { pool } = open();
    await expect(pool.probe()).rejects.toThrow(
      /no endpoint can be used: endpoint 1: .* chain id 1, expected 31337; endpoint 2: .*HTTP 503/,
    );
    for (const { faulted } of [faulty, healthy]) expect(faulted).toBeGreaterThan(0);
    healthy.setFaults({});
    await pool.probe();
    expect(pool.report().map(({ state }) => state)).toEqual(['refused', 'ok']);
  });

  it('is detected when it replaces a correct endpoint after an outage', async () => {
    const { pool, clock } = open();
    await pool.probe();
    faulty.setFaults({ '*': raw('oops', 503) });
    await pool.block(height);
    expect(faulty.faulted).toBe(1);
    faulty.setFaults({ eth_chainId: answering('0x1') });
    clock.advanceSeconds(60);
    await pool.block(height);
    expect(faulty.faulted).toBe(1);
    expect([...methods(faulty)]).toEqual(['eth_chainId']);
    expect(pool.report()[0]).toMatchObject({ state: 'refused' });
  });
});

describe('what an endpoint offers', () => {
  it('is probed at start and logged for the operator', async () => {
    healthy.hide(['trace_block', 'eth_getBlockReceipts']);
    healthy.setFaults({
      eth_getLogs: async (call, answer) => {
        const [{ fromBlock = '0x0', toBlock = '0x0' } = {}] = call.params as Record<string, string>[];
        const span = Number(toBlock) - Number(fromBlock) + 1;
        if (span <= 100) return answer();
        return { jsonrpc: '2.0', id: call.id, error: { code: -32005, message: 'range too wide' } };
      },
      eth_getBlockByNumber: async (call, answer) =>
        call.params[0] === 'finalized'
          ? { jsonrpc: '2.0', id: call.id, error: { code: -39001, message: 'finalized block not found' } }
          : answer(),
    });
    await node.mine(200);
    const { pool } = open();
    await pool.probe();
    const all = { blockReceipts: true, finalizedTag: true, safeTag: true };
    expect(pool.report().map(({ position, capabilities }) => ({ position, ...capabilities }))).toEqual([
      { position: 1, native: 'trace_block', ...all, logRange: 10_000 },
      {
        position: 2,
        native: 'debug_traceBlockByHash',
        ...all,
        blockReceipts: false,
        finalizedTag: false,
        logRange: 100,
      },
    ]);
  });

  it.each([
    ['is not asked for blocks while another shows more', {}],
    ['but for the rest of a block while the other is down', { '*': raw('oops', 503) }],
  ])('does not include traces when it %s', async (_what, faults) => {
    faulty.hide(['trace_block', 'debug_traceBlockByHash']);
    healthy.setFaults(faults);
    const { pool } = open();
    await pool.probe();
    expect((await pool.block(height))?.unread?.txHashes).toBe(healthy.faulted > 0 ? null : undefined);
    if (healthy.faulted === 0) {
      expect(methods(healthy)).toContain('trace_block');
      expect(faulty.seen.filter(({ params }) => params[1] === true)).toEqual([]);
    }
  });

  it('is enough without traces when no endpoint has them', async () => {
    for (const proxy of [faulty, healthy]) proxy.hide(['trace_block', 'debug_traceBlockByHash']);
    const { pool } = open();
    await pool.probe();
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
    const whole = faulty.seen.filter(
      ({ method, params }) => method === 'eth_getBlockByNumber' && params[1] === true,
    );
    expect(whole).toHaveLength(1);
  });
});

describe('one transaction', () => {
  it('is found if any endpoint has it, with the confirmations of the endpoint that is behind', async () => {
    const { pool } = open();
    await pool.probe();
    const txHash = await node.sendEth({ to: US, value: 5n });
    await node.mine(6);
    const old = await node.rpc<Json>('eth_getBlockByNumber', [toHex((await node.blockNumber()) - 3), false]);
    faulty.setFaults({
      eth_getBlockByNumber: async (call, answer) =>
        call.params[0] === 'latest' ? { jsonrpc: '2.0', id: call.id, result: old } : answer(),
    });
    expect(await pool.transaction(txHash)).toMatchObject({ fate: 'mined', confirmations: 3 });
    expect(faulty.faulted).toBeGreaterThan(0);
    faulty.setFaults({ eth_getTransactionByHash: answering(null) });
    expect(await pool.transaction(txHash)).toMatchObject({
      fate: 'mined',
      confirmations: 6,
      succeeded: true,
    });
    expect(await pool.transactionFate(txHash)).toBe('mined');
    expect(faulty.faulted).toBe(2);
    healthy.setFaults({ eth_getTransactionByHash: answering(null) });
    expect(await pool.transaction(txHash)).toEqual({ fate: 'unknown' });
    expect(await pool.transactionFate(OTHER_HASH)).toBe('unknown');
    expect(pool.report().map(({ state }) => state)).toEqual(['ok', 'ok']);
  });
});

describe('the final block', () => {
  it('is the lowest final block that any endpoint reports', async () => {
    const { pool } = open();
    await pool.probe();
    await node.mine(5);
    const tip = await node.blockNumber();
    const latest = await node.rpc<Json>('eth_getBlockByNumber', ['latest', false]);
    faulty.setFaults({
      eth_getBlockByNumber: async (call, answer) =>
        call.params[0] === 'finalized' ? { jsonrpc: '2.0', id: call.id, result: latest } : answer(),
    });
    expect((await pool.tagged('finalized'))?.height).toBe(tip - 2);
    expect(faulty.faulted).toBe(1);
  });
});
