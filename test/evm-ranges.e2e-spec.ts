import { Logger } from '@nestjs/common';
import { type ObservedBlock, type ObservedTransfer } from '../src/chains/chain-adapter.pure.js';
import { type EvmAdapter } from '../src/chains/evm/evm-adapter.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { EvmAdapters, keyOf } from './support/evm-chain.js';
import { changed, type RpcFault, raw, RpcProxy, type SeenCall } from './support/rpc-proxy.js';

type Json = Record<string, unknown>;

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;
const BLOCKS = 20;

const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;
let token: Hex;
let from: number;
let truth: ObservedTransfer[];

/** Every third block pays us in coin, every fourth in tokens, twice; some blocks are empty. */
beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
  token = (await node.deployToken()).address;
  from = (await node.blockNumber()) + 1;
  for (let i = 0; i < BLOCKS; i++) {
    if (i % 3 === 0) await node.sendEth({ to: US, value: BigInt(100 + i) });
    if (i % 4 === 0) await node.sendToken({ token, to: US, value: BigInt(200 + i) });
    if (i % 4 === 0) await node.sendToken({ token, to: US, value: BigInt(300 + i) });
    if (i % 5 === 0) await node.sendToken({ token, to: node.account(3), value: 1n });
    await node.mine();
  }
  const adapter = adapters.create(node.url, { tokens: [token] });
  const blocks = await Promise.all(Array.from({ length: BLOCKS }, (_, i) => adapter.block(from + i)));
  truth = await creditsOf(
    adapter,
    blocks.flatMap((block) => block ?? []),
  );
  expect(truth).toHaveLength(7 + 10);
}, 300_000);
beforeEach(() => {
  proxy.setFaults({});
  proxy.onBatch = null;
  // Then logs are read in ranges.
  proxy.hide(['eth_getBlockReceipts']);
});
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
});

/** An endpoint of which nothing is known yet, asked what it offers while it is honest. */
async function freshAdapter(): Promise<EvmAdapter> {
  const adapter = adapters.create(proxy.url, { tokens: [token] });
  await adapter.probe();
  proxy.seen.length = 0;
  return adapter;
}

/** Reads all blocks as the watcher does, range after range. */
async function readAll(adapter: EvmAdapter): Promise<ObservedBlock[]> {
  const blocks: ObservedBlock[] = [];
  while (blocks.length < BLOCKS) {
    const more = await adapter.blocks(from + blocks.length, BLOCKS - blocks.length);
    expect(more.length).toBeGreaterThan(0);
    blocks.push(...more);
  }
  expect(blocks.map(({ height }) => height)).toEqual(Array.from({ length: BLOCKS }, (_, i) => from + i));
  return blocks;
}

async function creditsOf(adapter: EvmAdapter, blocks: readonly ObservedBlock[]): Promise<ObservedTransfer[]> {
  const found: ObservedTransfer[] = [];
  for (const block of blocks) {
    const ours = block.candidates.filter(({ key }) => key.equals(keyOf(US)));
    found.push(...(await adapter.verify(block, ours)));
  }
  return found;
}

const isRange = ({ params }: SeenCall) => (params[0] as Json)['fromBlock'] !== undefined;
/** Blocks that a log query spans. */
const spanOf = ({ params }: SeenCall) => {
  const { fromBlock, toBlock } = params[0] as { fromBlock: Hex; toBlock: Hex };
  return Number(toBlock) - Number(fromBlock) + 1;
};
/** A wrong answer about ranges from a node that is right about single blocks. */
const aboutRanges =
  (fault: RpcFault): RpcFault =>
  (call, answer) =>
    isRange(call) ? fault(call, answer) : answer();
const refusal = { error: { code: -32005, message: 'query exceeds max block range' } };

describe('blocks in ranges', () => {
  it('are the same as single blocks, with one log query for many', async () => {
    const adapter = await freshAdapter();
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
    expect(proxy.seen.filter((call) => call.method === 'eth_getLogs' && isRange(call)).length).toBeLessThan(
      4,
    );
  });

  it('end at the tip, or where another branch begins', async () => {
    const adapter = await freshAdapter();
    expect(await adapter.blocks(from + BLOCKS - 3, 16)).toHaveLength(3);
    expect(await adapter.blocks(from + BLOCKS, 16)).toEqual([]);
    const fork: RpcFault = changed((block: Json) =>
      Number(block['number']) === from + 5 ? { ...block, parentHash: OTHER_HASH } : block,
    );
    proxy.setFaults({ eth_getBlockByNumber: fork });
    expect(await adapter.blocks(from, 16)).toHaveLength(5);
  });
});

describe('logs in ranges', () => {
  const shouted = (value: unknown) => String(value).toUpperCase().replace('0X', '0x');

  it('are read in upper and lower case hex', async () => {
    const adapter = await freshAdapter();
    const everything = changed((list: Json[]) =>
      list.map((log) => ({
        ...log,
        address: shouted(log['address']),
        topics: (log['topics'] as string[]).map(shouted),
        blockHash: shouted(log['blockHash']),
        transactionHash: shouted(log['transactionHash']),
      })),
    );
    proxy.setFaults({ eth_getLogs: everything });
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
    expect(proxy.faulted).toBeGreaterThan(0);
  });

  it('credit nothing for a transfer to oneself, also with the address in two spellings', async () => {
    const start = (await node.blockNumber()) + 1;
    // The outermost ones are looked at twice.
    for (const to of [1, 0, 1]) {
      await node.sendToken({ token, to: node.account(to), value: 5n });
      await node.mine();
    }
    const adapter = await freshAdapter();
    const sender = changed((list: Json[]) =>
      list.map((log) => {
        const [topic, from, to] = log['topics'] as [string, string, string];
        return { ...log, topics: [topic, shouted(from), to] };
      }),
    );
    proxy.setFaults({ eth_getLogs: sender });
    const blocks = await adapter.blocks(start, 16);
    const found = await Promise.all(blocks.map((block) => adapter.verify(block, block.candidates)));
    expect(found.map(({ length }) => length)).toEqual([1, 0, 1]);
    expect(proxy.faulted).toBeGreaterThan(0);
  });
});

describe('a node that limits ranges', () => {
  it.each([1, 2, 5, 15])('to %d blocks is never asked for more, and nothing is lost', async (limit) => {
    const adapter = await freshAdapter();
    proxy.setFaults({
      eth_getLogs: aboutRanges((call, answer) =>
        spanOf(call) > limit ? { id: call.id, ...refusal } : answer(),
      ),
    });
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
    proxy.seen.length = 0;
    await readAll(adapter);
    const refused = proxy.seen.filter(
      (call) => call.method === 'eth_getLogs' && isRange(call) && spanOf(call) > limit,
    );
    expect(refused.length).toBeLessThanOrEqual(limit < 2 ? 2 : 1);
  });

  it('and says so gets requests block by block in one batch', async () => {
    proxy.setFaults({ eth_getLogs: aboutRanges(({ id }) => ({ id, ...refusal })) });
    const adapter = await freshAdapter();
    expect(adapter.capabilities?.logRange).toBe(0);
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
    expect(proxy.seen.filter((call) => call.method === 'eth_getLogs' && isRange(call))).toEqual([]);
  });

  it('and has no batches is read by single requests', async () => {
    const adapter = await freshAdapter();
    proxy.onBatch = () => ({ jsonrpc: '2.0', id: null, error: { code: -32600, message: 'no batches' } });
    const blocks = await readAll(adapter);
    proxy.onBatch = null;
    expect(await creditsOf(adapter, blocks)).toEqual(truth);
  });

  it.each(Array.from({ length: 12 }, (_, kept) => kept))(
    'and silently truncates after %d logs loses nothing',
    async (kept) => {
      const adapter = await freshAdapter();
      proxy.setFaults({ eth_getLogs: aboutRanges(changed((logs: Json[]) => logs.slice(0, kept))) });
      expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
    },
  );

  it('and returns only the newest logs loses nothing', async () => {
    const adapter = await freshAdapter();
    proxy.setFaults({ eth_getLogs: aboutRanges(changed((logs: Json[]) => logs.slice(-2))) });
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
  });
});

describe('a node that contradicts itself in a range', () => {
  const first = (list: Json[], change: Json) =>
    list.map((item, i) => (i === 0 ? { ...item, ...change } : item));

  it.each<[string, Record<string, RpcFault>]>([
    [
      'sends logs of another block',
      { eth_getLogs: changed((list: Json[]) => first(list, { blockHash: OTHER_HASH })) },
    ],
    [
      'sends logs of no transaction',
      { eth_getLogs: changed((list: Json[]) => first(list, { transactionHash: OTHER_HASH })) },
    ],
    [
      'sends logs of another contract',
      { eth_getLogs: changed((list: Json[]) => first(list, { address: US })) },
    ],
    ['sends other logs', { eth_getLogs: changed((list: Json[]) => first(list, { topics: [OTHER_HASH] })) }],
    [
      'sends logs that were removed',
      { eth_getLogs: changed((list: Json[]) => first(list, { removed: true })) },
    ],
    ['sends no logs', { eth_getLogs: changed(() => []) }],
    ['sends no list of logs', { eth_getLogs: changed(() => null) }],
    [
      'sends no transactions',
      { eth_getBlockByNumber: changed((block: Json) => ({ ...block, transactions: [] })) },
    ],
    [
      'sends headers of other heights',
      { eth_getBlockByNumber: changed((block: Json) => ({ ...block, number: '0x1' })) },
    ],
    [
      'sends traces of another block',
      { trace_block: changed((rows: Json[]) => first(rows, { blockHash: OTHER_HASH })) },
    ],
    ['sends no traces', { trace_block: changed(() => []) }],
    ['sends no list of traces', { trace_block: changed(() => null) }],
  ])('and %s is rejected', async (_, faults) => {
    const adapter = await freshAdapter();
    proxy.setFaults(faults);
    await expect(adapter.blocks(from, BLOCKS)).rejects.toThrow(/node|malformed/);
    expect(proxy.faulted).toBeGreaterThan(0);
    proxy.setFaults({});
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
  });

  it('and does not respond at all is not asked again for half the range', async () => {
    const adapter = await freshAdapter();
    proxy.setFaults({ eth_getLogs: raw('busy', 503) });
    await expect(adapter.blocks(from, BLOCKS)).rejects.toThrow('HTTP 503');
    expect(proxy.faulted).toBe(1);
    proxy.setFaults({});
    expect(await creditsOf(adapter, await readAll(adapter))).toEqual(truth);
  });
});
