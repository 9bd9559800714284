import { Logger } from '@nestjs/common';
import { creditsAt } from './chain-adapter.contract.js';
import { NO_TRANSACTIONS } from './support/evm-faults.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { EvmAdapters, keyOf, mineOne, type TestPool } from './support/evm-chain.js';
import { answering, changed, type RpcFault, raw, RpcProxy } from './support/rpc-proxy.js';

type Json = Record<string, unknown>;

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;

const adapters = new EvmAdapters();
let node: TestChain;
let faulty: RpcProxy;
let healthy: RpcProxy;
let token: Hex;
/** A block with a native payment of 7 wei and a token payment of 8 units to us. */
let height: number;
let truth: unknown[];

const methods = (proxy: RpcProxy) => new Set(proxy.seen.map(({ method }) => method));

function open(settings: { agreeFrom?: ReadonlyMap<string, bigint> } = {}): TestPool {
  return adapters.createPool([faulty.url, healthy.url], { tokens: [token], ...settings });
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  [faulty, healthy] = [await RpcProxy.start(node.url), await RpcProxy.start(node.url)];
  token = (await node.deployToken()).address;
  await node.sendEth({ to: US, value: 7n });
  await node.sendToken({ token, to: US, value: 8n });
  height = await mineOne(node);
  await node.mine(2);
  truth = await creditsAt(adapters.create(node.url, { tokens: [token] }), height, [keyOf(US)]);
});
beforeEach(() => {
  for (const proxy of [faulty, healthy]) proxy.setFaults({});
});
afterAll(async () => {
  await adapters.close();
  await Promise.all([faulty.stop(), healthy.stop()]);
  await node.stop();
});

describe('a transfer that two endpoints must agree on', () => {
  const tenfold = changed((traces: Json[]) =>
    traces.map((trace) => {
      const action = trace['action'] as Json;
      return action['to'] === US ? { ...trace, action: { ...action, value: '0x46' } } : trace;
    }),
  );
  const large = new Map([['native', 7n]]);

  it('is requested from both endpoints; below the threshold one response is enough', async () => {
    const below = open({ agreeFrom: new Map([['native', 8n]]) });
    await below.pool.probe();
    healthy.setFaults({});
    expect(await creditsAt(below.pool, height, [keyOf(US)])).toEqual(truth);
    expect(methods(healthy)).toEqual(new Set());
    const from = open({ agreeFrom: large });
    await from.pool.probe();
    healthy.setFaults({});
    expect(await creditsAt(from.pool, height, [keyOf(US)])).toEqual(truth);
    expect(methods(healthy)).toContain('trace_block');
    expect(methods(healthy)).toContain('eth_getTransactionReceipt');
  });

  it.each<[string, () => RpcProxy, Record<string, RpcFault>]>([
    ['the first makes it ten times as large', () => faulty, { trace_block: tenfold }],
    ['the second does', () => healthy, { trace_block: tenfold }],
    [
      'the second has another block there',
      () => healthy,
      {
        eth_getBlockByNumber: changed((block: Json) => ({
          ...block,
          hash: OTHER_HASH,
          ...NO_TRANSACTIONS,
        })),
      },
    ],
  ])('is not recorded while %s', async (_what, proxy, faults) => {
    const { pool } = open({ agreeFrom: large });
    await pool.probe();
    proxy().setFaults(faults);
    await expect(creditsAt(pool, height, [keyOf(US)])).rejects.toThrow(/large transfer/);
    expect(proxy().faulted).toBeGreaterThan(0);
    proxy().setFaults({});
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
  });

  it.each<[string, Record<string, RpcFault>]>([
    ['does not have the block', { eth_getBlockByNumber: answering(null) }],
    ['is down', { '*': raw('oops', 503) }],
    [
      'contradicts itself',
      { eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, status: '0x0' })) },
    ],
  ])('waits alone while the second %s', async (_what, faults) => {
    const { pool } = open({ agreeFrom: large });
    await pool.probe();
    healthy.setFaults(faults);
    expect(await creditsAt(pool, height, [keyOf(US)])).toMatchObject([
      { amount: 7n, awaitsAgreement: true },
      { amount: 8n },
    ]);
    expect(healthy.faulted).toBeGreaterThan(0);
    healthy.setFaults({});
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
  });

  it('is credited ten times too large without the rule, which shows that the fault is effective', async () => {
    const { pool } = open();
    await pool.probe();
    faulty.setFaults({ trace_block: tenfold });
    expect(await creditsAt(pool, height, [keyOf(US)])).toMatchObject([{ amount: 70n }, { amount: 8n }]);
    expect(faulty.faulted).toBe(1);
  });

  it('is settled by a third endpoint, and the outvoted one is asked last', async () => {
    const third = await RpcProxy.start(node.url);
    const urls = [faulty.url, healthy.url, third.url];
    const { pool } = adapters.createPool(urls, { tokens: [token], agreeFrom: large });
    await pool.probe();
    faulty.setFaults({ trace_block: tenfold });
    await expect(creditsAt(pool, height, [keyOf(US)])).rejects.toThrow('disagree');
    expect(faulty.faulted).toBe(1);
    expect(pool.report().map(({ state }) => state)).toEqual(['resting', 'ok', 'ok']);
    expect(await creditsAt(pool, height, [keyOf(US)])).toEqual(truth);
    await third.stop();
  });
});

describe('a fork that one endpoint alone shows', () => {
  /** Consistent in itself: other hashes from a height on, and empty blocks. */
  const forkedFrom = (from: number): RpcFault =>
    changed((block: Json | null) => {
      const at = Number(block?.['number']);
      if (block === null || at < from) return block;
      const other = (hash: unknown) => `0x${String(hash).slice(2).split('').toReversed().join('')}`;
      const parentHash = at > from ? other(block['parentHash']) : block['parentHash'];
      return { ...block, hash: other(block['hash']), parentHash, ...NO_TRANSACTIONS };
    });

  it('reverts nothing, and the endpoint that reported it is asked last', async () => {
    const { pool } = open();
    await pool.probe();
    const kept = (await pool.header(height))?.hash ?? '';
    faulty.setFaults({ eth_getBlockByNumber: forkedFrom(height) });
    const above = await pool.block(height + 1);
    expect(above?.parentHash).not.toBe(kept);
    expect(await pool.agreedHeader(height, kept)).toMatchObject({ hash: kept });
    expect(faulty.faulted).toBeGreaterThan(1);
    expect(pool.report()[0]).toMatchObject({ state: 'resting', failures: 1 });
    expect((await pool.block(height + 1))?.parentHash).toBe(kept);
  });

  it('is accepted when both report it', async () => {
    const { pool } = open();
    await pool.probe();
    const kept = (await pool.header(height))?.hash ?? '';
    for (const proxy of [faulty, healthy]) proxy.setFaults({ eth_getBlockByNumber: forkedFrom(height) });
    const header = await pool.agreedHeader(height, kept);
    expect(header?.hash).not.toBe(kept);
    expect(pool.report().map(({ failures }) => failures)).toEqual([0, 0]);
  });

  it('is detected when only the parent of a block is wrong', async () => {
    const { pool } = open();
    await pool.probe();
    const kept = (await pool.header(height))?.hash ?? '';
    faulty.setFaults({
      eth_getBlockByNumber: changed((block: Json) =>
        Number(block['number']) === height + 1 ? { ...block, parentHash: OTHER_HASH } : block,
      ),
    });
    expect((await pool.block(height + 1))?.parentHash).toBe(OTHER_HASH);
    expect(await pool.agreedHeader(height, kept)).toMatchObject({ hash: kept });
    expect(pool.report()[0]).toMatchObject({
      state: 'resting',
      lastError: expect.stringContaining('follow'),
    });
    expect((await pool.block(height + 1))?.parentHash).toBe(kept);
  });
});
