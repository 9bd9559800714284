import { Logger } from '@nestjs/common';
import { type ChainAdapter, ChainInconsistencyError } from '../src/chains/chain-adapter.pure.js';
import { creditsAt } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { type AdapterSettings, EvmAdapters, keyOf, mineOne } from './support/evm-chain.js';
import { NO_TRANSACTIONS } from './support/evm-faults.js';
import { changed, type RpcFault, RpcProxy } from './support/rpc-proxy.js';

type Json = Record<string, unknown>;
type Faults = Record<string, RpcFault>;

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const NO_BLOOM = `0x${'0'.repeat(512)}`;
/** From this many blocks on the watcher is catching up. */
const FAR = 17;
const TRACES = ['trace_block', 'debug_traceBlockByHash'];

const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;
let token: Hex;
/** A block with a native payment of 7 wei, and three token payments, of which the middle one is ours. */
let height: number;
/** The transactions of the native payment, of our token payment, and of the last one. */
let txs: { native: Hex; ours: Hex; last: Hex };

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
  token = (await node.deployToken()).address;
  const send = (account: number, to: Hex) =>
    node.sendToken({ token, to, value: 8n, from: node.account(account) });
  for (const account of [1, 2, 3]) await node.sendToken({ token, to: node.account(account), value: 100n });
  await node.mine();
  await send(1, node.account(9));
  const ours = await send(2, US);
  const last = await send(3, node.account(8));
  const native = await node.sendEth({ to: US, value: 7n });
  txs = { native, ours, last };
  height = await mineOne(node);
  // Newer blocks, one of them like it.
  for (let i = 0; i < FAR + 3; i++) await node.mine();
  await node.sendToken({ token, to: node.account(9), value: 1n });
  await node.sendEth({ to: node.account(9), value: 1n });
  await node.mine();
}, 120_000);
beforeEach(() => proxy.setFaults({}));
afterEach(() => proxy.hide([]));
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
});

/** An endpoint that is probed while it is honest. */
async function open(settings: AdapterSettings = {}): Promise<ChainAdapter & { needs: readonly string[] }> {
  const adapter = adapters.create(proxy.url, {
    tokens: [token],
    like: { slug: 'ethereum', provable: true },
    ...settings,
  });
  await adapter.probe();
  return adapter;
}

const credits = (adapter: ChainAdapter) => creditsAt(adapter, height, [keyOf(US)]);
const TRUTH = [{ amount: 7n }, { amount: 8n }];
const isAt = ({ number }: Json) => Number(number) === height;
/** The block of the payments, changed wherever it is shown. */
const block = (change: (shown: Json) => Json): Faults => {
  const fault = changed((shown: Json | null) => (shown && isAt(shown) ? change(shown) : shown));
  return { eth_getBlockByNumber: fault, eth_getBlockByHash: fault };
};
/** Rows of the block of the payments. */
const rows = (method: string, change: (list: Json[]) => Json[]): Faults => ({
  [method]: changed((list: Json[]) =>
    list.some((one) => Number(one['blockNumber']) === height) ? change(list) : list,
  ),
});
const logsOf = (list: Json[], change: (logs: Json[]) => Json[]) =>
  list.map((receipt) => ({ ...receipt, logs: change(receipt['logs'] as Json[]) }));
const isOf = (txHash: Hex) => (one: Json) => one['transactionHash'] === txHash;
const without = (txHash: () => Hex) => (list: Json[]) => list.filter((one) => !isOf(txHash())(one));
/** As if the log had never been: the places of the others follow each other. */
const renumbered = (list: Json[]) => {
  let place = 0;
  return logsOf(list, (logs) => logs.map((log) => ({ ...log, logIndex: `0x${(place++).toString(16)}` })));
};
const ours = () => txs.ours;
const last = () => txs.last;
const hashes = (list: unknown) => list as (string | Json)[];
const hashOf = (one: string | Json) => (typeof one === 'string' ? one : one['hash']);
const withoutTransaction = (txHash: () => Hex): Faults => ({
  ...block((shown) => ({
    ...shown,
    transactions: hashes(shown['transactions']).filter((one) => hashOf(one) !== txHash()),
  })),
  ...rows('eth_getBlockReceipts', without(txHash)),
  ...rows('eth_getLogs', without(txHash)),
  ...rows('trace_block', without(txHash)),
});

/** Each also leaves it out of the logs, so that nothing but the header shows it. */
const LEFT_OUT: [string, () => Faults][] = [
  ['one of several logs', () => rows('eth_getBlockReceipts', (list) => logsOf(list, without(ours)))],
  ['the last log', () => rows('eth_getBlockReceipts', (list) => logsOf(list, without(last)))],
  ['all logs', () => rows('eth_getBlockReceipts', (list) => logsOf(list, () => []))],
  [
    'the last log and its bloom filter',
    () =>
      rows('eth_getBlockReceipts', (list) =>
        list.map((one) => (isOf(last())(one) ? { ...one, logs: [], logsBloom: NO_BLOOM } : one)),
      ),
  ],
  ['a receipt', () => rows('eth_getBlockReceipts', without(ours))],
  ['a transaction with all that belongs to it', () => withoutTransaction(ours)],
];

describe.each<[string, (adapter: ChainAdapter) => Promise<unknown>]>([
  ['block by block', (adapter) => adapter.block(height)],
  ['in a range', async (adapter) => adapter.blocks?.(height, 4)],
  ['in catch-up', async (adapter) => adapter.blocks?.(height, FAR)],
])('a node that is read %s', (_how, read) => {
  it('is believed while it is honest, by the receipts and not by the logs', async () => {
    const adapter = await open();
    proxy.seen.length = 0;
    await read(adapter);
    expect(await credits(adapter)).toMatchObject(TRUTH);
    const asked = proxy.seen.map(({ method }) => method);
    expect(asked).toContain('eth_getBlockReceipts');
    expect(asked).not.toContain('eth_getLogs');
  });

  it.each(LEFT_OUT)('and leaves out %s is refused, and believed once it does not', async (_what, faults) => {
    const adapter = await open();
    proxy.setFaults({ ...rows('eth_getLogs', without(ours)), ...faults() });
    await expect(read(adapter)).rejects.toThrow(ChainInconsistencyError);
    expect(proxy.faulted).toBeGreaterThan(0);
    proxy.setFaults({});
    await read(adapter);
    expect(await credits(adapter)).toMatchObject(TRUTH);
    expect(adapter.needs).toEqual([]);
  });

  it.each(LEFT_OUT)('and leaves out %s is passed over for the next endpoint', async (_what, faults) => {
    const { pool } = adapters.createPool([proxy.url, node.url], {
      tokens: [token],
      like: { slug: 'ethereum', provable: true },
    });
    await pool.probe();
    await pool.tip();
    proxy.setFaults(faults());
    await read(pool);
    expect(proxy.faulted).toBeGreaterThan(0);
    expect(await credits(pool)).toMatchObject(TRUTH);
  });
});

describe('a node near the tip', () => {
  it.each<[string, () => Faults]>([
    [
      'one of several logs, without a gap',
      () => rows('eth_getBlockReceipts', (list) => renumbered(logsOf(list, without(ours)))),
    ],
    [
      'the transactions, as if the block were empty',
      () => block((shown) => ({ ...shown, ...NO_TRANSACTIONS })),
    ],
    ['the bits of the logs', () => block((shown) => ({ ...shown, logsBloom: NO_BLOOM }))],
  ])('that leaves out %s is refused', async (_what, faults) => {
    const adapter = await open();
    proxy.setFaults(faults());
    await expect(adapter.block(height)).rejects.toThrow(ChainInconsistencyError);
    await expect(adapter.blocks?.(height, 4)).rejects.toThrow(ChainInconsistencyError);
  });

  it('is asked for no receipts of a block in which no listed token can have moved', async () => {
    const adapter = await open();
    proxy.seen.length = 0;
    await adapter.block(height + 1);
    await node.sendEth({ to: US, value: 1n });
    await adapter.block(await mineOne(node));
    const asked = proxy.seen.map(({ method }) => method);
    expect(asked).not.toContain('eth_getBlockReceipts');
    expect(asked).not.toContain('eth_getLogs');
  });
});

describe('a node without traces', () => {
  it.each<[string, () => Faults]>([
    [
      'a transaction',
      () =>
        block((shown) => ({
          ...shown,
          transactions: hashes(shown['transactions']).filter((one) => hashOf(one) !== txs.native),
        })),
    ],
    ['all transactions', () => block((shown) => ({ ...shown, ...NO_TRANSACTIONS }))],
  ])('that leaves out %s is refused, also where no token is listed', async (_what, faults) => {
    proxy.hide(TRACES);
    const adapter = await open({ tokens: [] });
    expect(await credits(adapter)).toMatchObject([{ amount: 7n }]);
    proxy.setFaults(faults());
    await expect(adapter.block(height)).rejects.toThrow(ChainInconsistencyError);
    await expect(adapter.blocks?.(height, 4)).rejects.toThrow(ChainInconsistencyError);
  });
});

describe('a chain of another form', () => {
  const everyBlock = (change: Json): Faults => {
    const fault = changed((shown: Json | null) => shown && { ...shown, ...change });
    return { eth_getBlockByNumber: fault, eth_getBlockByHash: fault };
  };
  const everyReceipt: Faults = {
    eth_getBlockReceipts: changed((list: Json[]) => list.map((one) => ({ ...one, logsBloom: NO_BLOOM }))),
  };

  it.each<[string, AdapterSettings, Faults]>([
    ['whose headers have another hash', {}, everyBlock({ extraData: '0x01' })],
    ['whose headers have no bloom filter', {}, everyBlock({ logsBloom: NO_BLOOM })],
    ['whose receipts have another root', {}, everyBlock({ receiptsRoot: `0x${'ab'.repeat(32)}` })],
    ['whose receipts have no bloom filter', { like: { slug: 'avalanche' } }, everyReceipt],
  ])('%s is read on, and its node’s report says so', async (_what, settings, faults) => {
    const adapter = await open(settings);
    // The newest block has logs as well.
    await node.sendToken({ token, to: node.account(9), value: 1n });
    await node.mine();
    proxy.setFaults(faults);
    expect(await credits(adapter)).toMatchObject(TRUTH);
    expect(adapter.needs.length).toBeGreaterThan(0);
    for (const need of adapter.needs) expect(need).toMatch(/not (be )?noticed/);
    // Still not without asking for the logs in another way.
    proxy.setFaults({ ...faults, ...rows('eth_getLogs', without(ours)) });
    if ('eth_getBlockReceipts' in faults) await expect(adapter.block(height)).rejects.toThrow(/left out/);
    proxy.setFaults({});
    expect(await credits(adapter)).toMatchObject(TRUTH);
    expect(adapter.needs).toEqual([]);
  });

  it('is not concluded from a single block, even the newest', async () => {
    const adapter = await open();
    await node.sendToken({ token, to: US, value: 8n });
    const newest = await mineOne(node);
    const isNewest = (shown: Json) => Number(shown['number'] ?? shown['blockNumber']) === newest;
    proxy.setFaults({
      eth_getBlockByNumber: changed((shown: Json | null) =>
        shown && isNewest(shown) ? { ...shown, extraData: '0x01' } : shown,
      ),
    });
    await expect(adapter.block(newest)).rejects.toThrow(ChainInconsistencyError);
    proxy.setFaults({
      eth_getBlockReceipts: changed((list: Json[]) =>
        list.map((one) => (isNewest(one) ? { ...one, logsBloom: NO_BLOOM } : one)),
      ),
    });
    await expect(adapter.block(newest)).rejects.toThrow(ChainInconsistencyError);
  });
});
