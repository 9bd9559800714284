import { Logger } from '@nestjs/common';
import {
  CATCH_UP_FROM,
  type ChainAdapter,
  ChainInconsistencyError,
} from '../src/chains/chain-adapter.pure.js';
import { creditsAt } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { MultiSend } from './support/contracts/artifacts.js';
import { type AdapterSettings, EvmAdapters, keyOf, mineOne } from './support/evm-chain.js';
import { NO_TRANSACTIONS } from './support/evm-faults.js';
import { changed, type RpcFault, RpcProxy } from './support/rpc-proxy.js';

type Json = Record<string, unknown>;
type Faults = Record<string, RpcFault>;

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const NO_BLOOM = `0x${'0'.repeat(512)}`;
/** From this many blocks on the watcher is catching up. */
const FAR = CATCH_UP_FROM + 1;
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
/** As if one more transaction were in the block, with a payment to us. */
const appended = (): Faults => {
  const made = `0x${'cd'.repeat(32)}`;
  const copy = (one: Json, place: string) => ({
    ...one,
    transactionHash: made,
    logs: (one['logs'] as Json[]).map((log) => ({ ...log, transactionHash: made, logIndex: place })),
  });
  return {
    ...block((shown) => ({ ...shown, transactions: [...hashes(shown['transactions']), made] })),
    ...rows('eth_getBlockReceipts', (list) => [
      ...list,
      ...list.filter(isOf(txs.ours)).map((one) => copy(one, '0x3')),
    ]),
  };
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
      'the right amounts',
      () =>
        rows('eth_getBlockReceipts', (list) =>
          logsOf(list, (logs) => logs.map((log) => ({ ...log, data: `0x${'f'.padStart(64, '0')}` }))),
        ),
    ],
    ['a receipt at the end', appended],
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
    await expect(adapter.blocks?.(height, CATCH_UP_FROM)).rejects.toThrow(ChainInconsistencyError);
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

describe('the last log of the block', () => {
  it.each(['ethereum', 'arbitrum'])('is not left out of its transaction unnoticed on %s', async (slug) => {
    const sender = await node.deploy(MultiSend);
    await node.sendToken({ token, to: sender.address, value: 24n });
    const sends = [node.account(9), node.account(8), US].map((to) => ({ token, to, value: 8n }));
    await node.call(sender, 'send', [sends]);
    const at = await mineOne(node);
    for (let i = 0; i < FAR; i++) await node.mine();
    const adapter = await open({ like: { slug, provable: true } });
    const isOurs = (list: Json[]) => list.some((one) => Number(one['blockNumber']) === at);
    const cut = (logs: Json[]) => logs.slice(0, 2);
    proxy.setFaults({
      eth_getBlockReceipts: changed((list: Json[]) => (isOurs(list) ? logsOf(list, cut) : list)),
      eth_getLogs: changed((list: Json[]) => (isOurs(list) ? list.slice(0, -1) : list)),
    });
    for (const count of [1, 4, FAR]) await expect(adapter.blocks?.(at, count)).rejects.toThrow(/left out/);
  });
});

describe('a node that leaves out all logs of all blocks', () => {
  it.each(['ethereum', 'arbitrum'])('is not taken for a chain of another form: %s', async (slug) => {
    const adapter = await open({ like: { slug, provable: true } });
    for (const filters of [{}, { logsBloom: NO_BLOOM }, { logsBloom: undefined }]) {
      proxy.setFaults({
        eth_getLogs: changed(() => []),
        eth_getBlockReceipts: changed((list: Json[]) =>
          list.map((one) => ({ ...one, logs: [], ...filters })),
        ),
      });
      for (const read of [() => adapter.block(height), () => adapter.blocks?.(height, FAR)])
        await expect(read()).rejects.toThrow(/left out/);
    }
  });
});

describe('a response that a stranger has made too long', () => {
  it.each(['ethereum', 'arbitrum'])('is cut, and covered by what is left: %s', async (slug) => {
    const adapter = await open({ like: { slug, provable: true }, maxResponseBytes: 100_000 });
    const long = (change: (list: Json[]) => Json[]) =>
      rows('eth_getBlockReceipts', (list) =>
        change(list).map((one) => ({ ...one, long: 'f'.repeat(200_000) })),
      );
    proxy.setFaults(long((list) => list));
    expect(await credits(adapter)).toMatchObject(TRUTH);
    for (const count of [4, FAR]) {
      const found = await adapter.blocks?.(height - 1, count);
      const payments = found?.[1]?.candidates.filter(({ key }) => key.equals(keyOf(US)));
      expect(payments?.map(({ amount }) => amount)).toEqual([7n, 8n]);
    }
    expect(proxy.seen.map(({ method }) => method)).not.toContain('eth_getLogs');
    expect(adapter.needs).toEqual([]);
    proxy.setFaults(long((list) => logsOf(list, without(ours))));
    for (const count of [1, 4, FAR])
      await expect(adapter.blocks?.(height, count)).rejects.toThrow(/left out/);
  });
});

describe('a chain of another form', () => {
  const everyBlock = (change: Json): Faults => {
    const fault = changed((shown: Json | null) => shown && { ...shown, ...change });
    return { eth_getBlockByNumber: fault, eth_getBlockByHash: fault };
  };
  const everyReceipt = (change: Json): Faults => ({
    eth_getBlockReceipts: changed((list: Json[]) => list.map((one) => ({ ...one, ...change }))),
  });
  const anew = (receipt: Json): Json => ({
    ...receipt,
    logs: (receipt['logs'] as Json[]).map((log, i) => ({ ...log, logIndex: `0x${i.toString(16)}` })),
  });
  const countedAnew: Faults = {
    eth_getBlockReceipts: changed((list: Json[]) => list.map(anew)),
    eth_getTransactionReceipt: changed(anew),
  };
  const tenfold = (logs: Json[]) =>
    logs.map((log) => ({ ...log, data: `${String(log['data'])}0`.replace('0x0', '0x') }));

  it.each<[string, AdapterSettings, Faults]>([
    ['whose headers have another hash', {}, everyBlock({ extraData: '0x01' })],
    ['whose headers have no bloom filter', {}, everyBlock({ logsBloom: NO_BLOOM })],
    ['whose receipts have another root', {}, everyBlock({ receiptsRoot: `0x${'ab'.repeat(32)}` })],
    ['whose receipts have no bloom filter', {}, everyReceipt({ logsBloom: undefined })],
    ['whose receipts have a root for a status', {}, everyReceipt({ status: undefined })],
    ['whose receipts do not name their block', {}, everyReceipt({ blockHash: undefined })],
    ['whose logs are counted in each transaction', {}, countedAnew],
    ['whose logs are counted in each transaction', { like: { slug: 'avalanche' } }, countedAnew],
  ])('%s is read on, and its node’s report says so', async (what, settings, faults) => {
    const adapter = await open(settings);
    // The newest block has logs as well, of more than one transaction.
    for (const account of [1, 2])
      await node.sendToken({ token, to: node.account(9), value: 1n, from: node.account(account) });
    await node.mine();
    proxy.setFaults(faults);
    expect(await credits(adapter)).toMatchObject(TRUTH);
    expect(adapter.needs.length).toBeGreaterThan(0);
    for (const need of adapter.needs) expect(need).toMatch(/not (be )?noticed/);
    // Still not without asking for the logs in another way, where there is something to compare them with.
    if ('eth_getBlockReceipts' in faults && !what.includes('do not name'))
      for (const change of [without(ours), tenfold, (list: Json[]) => list.toReversed()]) {
        proxy.setFaults({ ...faults, ...rows('eth_getLogs', change) });
        await expect(adapter.block(height)).rejects.toThrow(/left out/);
      }
    proxy.setFaults({});
    expect(await credits(adapter)).toMatchObject(TRUTH);
    expect(adapter.needs).toEqual([]);
  });

  it('whose transactions lack a field is read on without traces', async () => {
    proxy.hide(TRACES);
    const adapter = await open({ tokens: [] });
    const unsigned = (one: Json) => ({ ...one, v: undefined, yParity: undefined });
    proxy.setFaults({
      eth_getBlockByNumber: changed((shown: Json) => ({
        ...shown,
        transactions: (shown['transactions'] as Json[]).map(unsigned),
      })),
    });
    expect(await credits(adapter)).toMatchObject([{ amount: 7n }]);
    expect(adapter.needs).toContainEqual(expect.stringContaining('not be noticed'));
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
