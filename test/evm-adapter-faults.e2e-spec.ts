import { Logger } from '@nestjs/common';
import { type ChainAdapter, ChainInconsistencyError } from '../src/chains/chain-adapter.pure.js';
import { RpcError } from '../src/chains/rpc-error.pure.js';
import { creditsAt } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { EvmAdapters, keyOf, mineOne } from './support/evm-chain.js';
import { answering, changed, HANG, type RpcFault, raw, RpcProxy } from './support/rpc-proxy.js';
import { PATIENCE_MS, watchDeadlines } from './support/silence.js';

type Json = Record<string, unknown>;

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const OTHER_HASH = `0x${'ab'.repeat(32)}`;
const NO_BLOOM = `0x${'0'.repeat(512)}`;
const FULL_BLOOM = `0x${'ff'.repeat(256)}`;

const forgetDeadlines = watchDeadlines();
const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;
let adapter: ChainAdapter;
let token: Hex;
/** A block with a native and a token payment to us, both in the same order of transactions. */
let height: number;
/** Its native payment. */
let payment: Hex;

const first = (list: Json[], change: Json) =>
  list.map((item, i) => (i === 0 ? { ...item, ...change } : item));

/** An endpoint that had no receipts of blocks when it was probed. */
async function withoutReceipts(): Promise<ChainAdapter> {
  proxy.hide(['eth_getBlockReceipts']);
  const plain = adapters.create(proxy.url, { tokens: [token] });
  await plain.probe();
  proxy.hide([]);
  return plain;
}

const credits = () => creditsAt(adapter, height, [keyOf(US)]);

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
  token = (await node.deployToken()).address;
  payment = await node.sendEth({ to: US, value: 7n });
  await node.sendToken({ token, to: US, value: 8n });
  height = await mineOne(node);
});
beforeEach(async () => {
  proxy.setFaults({});
  adapter = adapters.create(proxy.url, { tokens: [token] });
  await adapter.probe();
});
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
  forgetDeadlines();
});

describe('a node that contradicts itself', () => {
  it('is accepted while its responses are correct', async () => {
    expect(await credits()).toMatchObject([
      { asset: 'native', ordinal: 'value', amount: 7n },
      { asset: token, ordinal: 'log:0', amount: 8n },
    ]);
  });

  it.each<[string, Record<string, RpcFault>]>([
    ['leaves out the logs that its header promises', { eth_getLogs: answering([]) }],
    [
      'leaves out the logs and has no block receipts',
      {
        eth_getLogs: answering([]),
        eth_getBlockReceipts: ({ id }) => ({ id, error: { code: -32601, message: 'Method not found' } }),
      },
    ],
    [
      'leaves out the logs and the receipts with them',
      { eth_getLogs: answering([]), eth_getBlockReceipts: changed((list: Json[]) => list.slice(1)) },
    ],
    [
      'sends logs of another block',
      { eth_getLogs: changed((list: Json[]) => first(list, { blockHash: OTHER_HASH })) },
    ],
    [
      'sends logs of transactions outside the block',
      { eth_getLogs: changed((list: Json[]) => first(list, { transactionHash: OTHER_HASH })) },
    ],
    [
      'sends logs of a contract that was not requested',
      { eth_getLogs: changed((list: Json[]) => first(list, { address: US })) },
    ],
    [
      'sends logs of an event that was not requested',
      { eth_getLogs: changed((list: Json[]) => first(list, { topics: [OTHER_HASH] })) },
    ],
    [
      'sends logs that it has taken back',
      { eth_getLogs: changed((list: Json[]) => first(list, { removed: true })) },
    ],
    [
      'sends logs at another place than its receipt',
      { eth_getLogs: changed((list: Json[]) => first(list, { logIndex: '0x5' })) },
    ],
    [
      'sends logs of another amount than its receipt',
      { eth_getLogs: changed((list: Json[]) => first(list, { data: `0x${'9'.padStart(64, '0')}` })) },
    ],
    ['sends no traces', { trace_block: answering([]) }],
    ['sends traces of some transactions only', { trace_block: changed((list: Json[]) => list.slice(1)) }],
    [
      'sends traces of another block',
      { trace_block: changed((list: Json[]) => first(list, { blockHash: OTHER_HASH })) },
    ],
    [
      'sends traces of the block before',
      {
        trace_block: async () => ({
          id: proxy.seen.at(-1)?.id,
          result: await node.rpc('trace_block', [`0x${(height - 1).toString(16)}`]),
        }),
      },
    ],
    [
      'sends another height',
      { eth_getBlockByNumber: changed((block: Json) => ({ ...block, number: '0x1' })) },
    ],
    [
      'sends logs without transactions',
      { eth_getBlockByNumber: changed((block: Json) => ({ ...block, transactions: [] })) },
    ],
    [
      'leaves out the transactions, and the logs with them',
      {
        eth_getBlockByNumber: changed((block: Json) => ({ ...block, transactions: [], logsBloom: NO_BLOOM })),
      },
    ],
    ['has no receipt', { eth_getTransactionReceipt: answering(null) }],
    [
      'sends the receipt of another block',
      { eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, blockHash: OTHER_HASH })) },
    ],
    [
      'sends the receipt of another transaction',
      {
        eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, transactionHash: OTHER_HASH })),
      },
    ],
    [
      'sends a receipt without the log',
      { eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, logs: [] })) },
    ],
    [
      'says that a transaction failed which it shows to succeed',
      { eth_getTransactionReceipt: changed((receipt: Json) => ({ ...receipt, status: '0x0' })) },
    ],
  ])('and %s credits nothing', async (_what, faults) => {
    // A node without receipts of blocks is believed as far as its logs go.
    if ('eth_getLogs' in faults) adapter = await withoutReceipts();
    proxy.setFaults(faults);
    await expect(credits()).rejects.toThrow(ChainInconsistencyError);
  });

  it.each<[string, string[]]>([
    ['block receipts', []],
    ['single receipts', ['eth_getBlockReceipts']],
  ])('and whose bloom filter has a false positive is checked by %s', async (_what, hidden) => {
    adapter = await withoutReceipts();
    await node.sendEth({ to: US, value: 9n });
    const at = await mineOne(node);
    proxy.setFaults({
      eth_getBlockByNumber: changed((block: Json) => ({ ...block, logsBloom: FULL_BLOOM })),
    });
    proxy.hide(hidden);
    expect(await creditsAt(adapter, at, [keyOf(US)])).toMatchObject([{ asset: 'native', amount: 9n }]);
    expect(proxy.seen.map(({ method }) => method)).toContain('eth_getBlockReceipts');
    proxy.hide([]);
  });

  it('and reports a transaction in a block that it has left is an error, not an outcome', async () => {
    const txHash = await node.sendEth({ to: US, value: 1n });
    await mineOne(node);
    proxy.setFaults({
      eth_getTransactionByHash: changed((transaction: Json) => ({ ...transaction, blockHash: OTHER_HASH })),
    });
    await expect(adapter.transactionFate(txHash)).rejects.toThrow(ChainInconsistencyError);
    proxy.setFaults({
      eth_getTransactionByHash: changed((transaction: Json) => ({ ...transaction, hash: OTHER_HASH })),
    });
    await expect(adapter.transactionFate(txHash)).rejects.toThrow(ChainInconsistencyError);
  });
});

describe('a node without traces that contradicts itself', () => {
  async function plainAdapter(): Promise<ChainAdapter> {
    proxy.hide(['trace_block', 'debug_traceBlockByHash']);
    const plain = adapters.create(proxy.url, { tokens: [token] });
    await plain.probe();
    proxy.hide([]);
    return plain;
  }

  it.each<[string, Json]>([
    ['another block', { hash: OTHER_HASH }],
    ['a block of another height', { number: '0x1' }],
    ['fewer transactions', { transactions: [] }],
    ['hashes instead of transactions', { transactions: [OTHER_HASH] }],
  ])('and sends %s credits nothing', async (_what, change) => {
    const plain = await plainAdapter();
    expect(await creditsAt(plain, height, [keyOf(US)])).toHaveLength(2);
    proxy.setFaults({ eth_getBlockByNumber: changed((block: Json) => ({ ...block, ...change })) });
    await expect(creditsAt(plain, height, [keyOf(US)])).rejects.toThrow(
      /unknown block|the node (sent|left out)/,
    );
  });

  it.each<[string, RpcFault]>([
    ['sends another block', changed((block: Json) => ({ ...block, hash: OTHER_HASH }))],
    ['sends fewer transactions', changed((block: Json) => ({ ...block, transactions: [] }))],
    ['no longer has the block', answering(null)],
  ])('and %s shows no payout', async (_what, fault) => {
    const plain = await plainAdapter();
    expect(await plain.transaction(payment)).toMatchObject({ fate: 'mined', credits: [{ amount: 7n }] });
    proxy.setFaults({ eth_getBlockByHash: fault });
    await expect(plain.transaction(payment)).rejects.toThrow(ChainInconsistencyError);
  });
});

describe('the newest block', () => {
  it('is requested once when it is read right after the tip, and again the next time', async () => {
    await mineOne(node);
    const tip = await adapter.tip();
    proxy.seen.length = 0;
    const headers = () => proxy.seen.filter(({ method }) => method === 'eth_getBlockByNumber').length;
    expect(await adapter.block(tip.height)).toMatchObject(tip);
    expect(headers()).toBe(0);
    expect(await adapter.block(tip.height)).toMatchObject(tip);
    expect(headers()).toBe(1);
  });

  it('is not returned again and again once another has replaced it', async () => {
    await node.mine();
    const tip = await adapter.tip();
    await node.reorg(1);
    await adapter.block(tip.height).catch(() => null);
    expect(await adapter.block(tip.height)).toMatchObject(await adapter.tip());
    expect((await adapter.tip()).hash).not.toBe(tip.hash);
  });
});

describe('a node of another network', () => {
  it.each<[string, unknown]>([
    ['another chain id', '0x1'],
    ['no chain id', null],
    ['a number', 31_337],
    ['more than 2^53', '0x20000000007a69'],
    ['an empty quantity', '0x'],
  ])('is refused with %s', async (_what, chainId) => {
    proxy.setFaults({ eth_chainId: answering(chainId) });
    await expect(adapter.probe()).rejects.toThrow();
  });
});

describe('a node that cannot say whether it traces', () => {
  it.each<[string, RpcFault]>([
    ['is over its limit', ({ id }) => ({ id, error: { code: -32005, message: 'limit exceeded' } })],
    ['has not synced', ({ id }) => ({ id, error: { code: -32000, message: 'header not found' } })],
    ['fails', raw('oops', 500)],
    ['is silent', raw(HANG)],
  ])('because it %s is asked again instead of being treated as one without traces', async (_what, fault) => {
    proxy.setFaults({ trace_block: fault });
    const fresh = adapters.create(proxy.url, { deadlineMs: PATIENCE_MS });
    await expect(fresh.probe()).rejects.toThrow(RpcError);
    proxy.setFaults({});
    await fresh.probe();
    await fresh.block(height);
    expect(proxy.seen.filter(({ params }) => params[1] === true)).toEqual([]);
  });
});
