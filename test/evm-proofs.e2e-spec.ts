import { Logger } from '@nestjs/common';
import type { ChainAdapter } from '../src/chains/chain-adapter.pure.js';
import { encodeReceipt } from '../src/chains/evm/receipt-encoding.pure.js';
import { orderedTrieRoot } from '../src/chains/evm/trie-root.pure.js';
import { creditsAt } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { EvmAdapters, keyOf, mineOne, type TestPool } from './support/evm-chain.js';
import { changed, type RpcFault, RpcProxy } from './support/rpc-proxy.js';

type Json = Record<string, unknown>;
type Faults = Record<string, RpcFault>;

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const OTHER: Hex = `0x${'bad'.padStart(40, '0')}`;
const TRANSFER = '0xddf252ad1be2c89b69c2b068fc378daa952ba7f163c4a11628f55a4df523b3ef';
const word = (value: bigint | string) => `0x${BigInt(value).toString(16).padStart(64, '0')}`;

const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;
let token: Hex;
/** A block with a native payment of 7 wei and a token payment of 8 units to us. */
let height: number;
/** A block with one transaction, which pays nothing to us. */
let foreign: number;
/** What the chain really says about the first block: its receipts, and its receipts as another block has them. */
let receipts: Json[];
let swapped: Json[];

const ALL = () =>
  new Map([
    ['native', 7n],
    [token.toLowerCase(), 8n],
  ]);
const methods = () => proxy.seen.map(({ method }) => method);
const credits = (adapter: ChainAdapter, at = height) => creditsAt(adapter, at, [keyOf(US)]);

/** Without receipts of blocks when it is probed: else a wrong log is noticed before anything is to be proven. */
async function open(proveFrom = ALL()): Promise<TestPool['pool']> {
  const { pool } = adapters.createPool([proxy.url], { tokens: [token], proveFrom });
  proxy.hide(['eth_getBlockReceipts']);
  await pool.probe();
  proxy.hide([]);
  proxy.setFaults({});
  return pool;
}

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
  token = (await node.deployToken()).address;
  await node.sendEth({ to: US, value: 7n });
  await node.sendToken({ token, to: US, value: 8n });
  height = await mineOne(node);
  await node.sendEth({ to: OTHER, value: 1n });
  foreign = await mineOne(node);
  // Two transactions, as in the first block, and a smaller amount.
  await node.sendEth({ to: US, value: 1n });
  await node.sendToken({ token, to: US, value: 1n });
  const smaller = await mineOne(node);
  await node.mine(2);
  const hash = await node.blockHash(height);
  receipts = await node.rpc<Json[]>('eth_getBlockReceipts', [hash]);
  const others = await node.rpc<Json[]>('eth_getBlockReceipts', [await node.blockHash(smaller)]);
  swapped = others.map((receipt, i) => {
    const { blockHash, blockNumber, transactionHash } = receipts[i] ?? {};
    const logs = (receipt['logs'] as Json[]).map((log) => ({
      ...log,
      blockHash,
      blockNumber,
      transactionHash,
    }));
    return { ...receipt, blockHash, blockNumber, transactionHash, logs };
  });
});
beforeEach(() => {
  proxy.hide([]);
  proxy.setFaults({});
});
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
});

describe('a large transfer at the only endpoint', () => {
  const truth = [
    { asset: 'native', amount: 7n, ordinal: 'value' },
    { amount: 8n, ordinal: 'log:0' },
  ];

  it('is proven by its block with two more calls; a smaller one needs none', async () => {
    const small = await open(new Map([['native', 8n]]));
    expect(await credits(small)).toMatchObject(truth);
    const usual = methods();
    expect(usual).not.toContain('eth_getBlockByHash');
    expect(usual).not.toContain('eth_getBlockReceipts');
    const large = await open();
    const found = await credits(large);
    expect(found).toMatchObject(truth);
    expect(found.some((one) => one.awaitsAgreement)).toBe(false);
    expect(methods().toSorted()).toEqual([...usual, 'eth_getBlockByHash', 'eth_getBlockReceipts'].toSorted());
  });

  it('is proven without eth_getBlockReceipts', async () => {
    const pool = await open();
    proxy.hide(['eth_getBlockReceipts']);
    expect((await credits(pool)).some((one) => one.awaitsAgreement)).toBe(false);
    expect(methods().filter((one) => one === 'eth_getTransactionReceipt')).toHaveLength(4);
  });

  it('is proven in a block with transactions of several types, and with very many', async () => {
    const pool = await open();
    const [from = US] = node.accounts;
    const request = { from, to: US, value: '0x7', gas: '0x7530' };
    const accessList = [{ address: token, storageKeys: [word(1n)] }];
    const types: Json[] = [
      { gasPrice: '0x77359400' },
      { gasPrice: '0x77359400', accessList },
      { maxFeePerGas: '0x77359400', maxPriorityFeePerGas: '0x1', accessList },
    ];
    for (const fields of types) await node.rpc('eth_sendTransaction', [{ ...request, ...fields }]);
    const several = await mineOne(node);
    expect(await credits(pool, several)).toMatchObject([{ amount: 7n }, { amount: 7n }, { amount: 7n }]);
    const shown = await node.rpc<{ transactions: Json[] }>('eth_getBlockByNumber', [
      `0x${several.toString(16)}`,
      true,
    ]);
    expect(shown.transactions.map(({ type }) => type)).toEqual(['0x0', '0x1', '0x2']);
    for (let i = 0; i < 300; i++) await node.sendEth({ to: i === 280 ? US : OTHER, value: 7n });
    const full = await mineOne(node);
    const [only, ...more] = await credits(pool, full);
    expect(only).toMatchObject({ amount: 7n });
    expect(only?.awaitsAgreement).toBeUndefined();
    expect(more).toEqual([]);
  });

  const tenfold = (log: Json) => ({ ...log, data: word(BigInt(String(log['data'])) * 10n) });
  const forgeLogs = (receipt: Json) => ({ ...receipt, logs: (receipt['logs'] as Json[]).map(tenfold) });
  const forgedToken: Faults = {
    eth_getLogs: changed((logs: Json[]) => logs.map(tenfold)),
    eth_getTransactionReceipt: changed(forgeLogs),
    eth_getBlockReceipts: changed((list: Json[]) => list.map(forgeLogs)),
  };
  const forgedTrace: Faults = {
    trace_block: changed((traces: Json[]) =>
      traces.map((trace) => {
        const action = trace['action'] as Json;
        return action['to'] === US ? { ...trace, action: { ...action, value: '0x46' } } : trace;
      }),
    ),
  };
  const header = (change: Json | (() => Json)): Faults => ({
    eth_getBlockByHash: changed((block: Json) => ({
      ...block,
      ...(typeof change === 'function' ? change() : change),
    })),
  });
  const forgedValue = changed((block: Json) => ({
    ...block,
    transactions: (block['transactions'] as Json[]).map((one) =>
      one['to'] === US ? { ...one, value: '0x46' } : one,
    ),
  }));

  it.each<[string, () => Faults, RegExp]>([
    ['makes the token payment ten times as large', () => forgedToken, /receipts are not those/],
    [
      'makes the token payment ten times as large, with a root for it',
      () => ({
        ...forgedToken,
        ...header(() => ({ receiptsRoot: orderedTrieRoot(receipts.map(forgeLogs).map(encodeReceipt)) })),
      }),
      /header does not have its hash/,
    ],
    ['makes the native payment ten times as large', () => forgedTrace, /does not transfer/],
    [
      'makes the native payment ten times as large, and its transaction',
      () => ({ ...forgedTrace, eth_getBlockByHash: forgedValue }),
      /does not transfer/,
    ],
    [
      'does so and hides its signed bytes',
      () => ({
        ...forgedTrace,
        eth_getBlockByHash: forgedValue,
        eth_getRawTransactionByHash: changed(() => '0x1234'),
      }),
      /transactions are not those/,
    ],
    ['changes a field of the header', () => header({ stateRoot: word(1n) }), /header does not have its hash/],
    ['changes the time', () => header({ timestamp: '0x1' }), /another header/],
    ['shows another block', () => header({ hash: word(1n) }), /another header/],
    [
      'changes the root of the receipts only',
      () => header({ receiptsRoot: word(1n) }),
      /header does not have its hash/,
    ],
    [
      "shows another block's receipts",
      () => ({ eth_getBlockReceipts: changed(() => swapped) }),
      /receipts are not those/,
    ],
    [
      'leaves out a receipt',
      () => ({ eth_getBlockReceipts: changed((list: Json[]) => list.slice(1)) }),
      /receipts are not those/,
    ],
    [
      'leaves out a transaction',
      () => ({
        eth_getBlockByHash: changed((block: Json) => ({
          ...block,
          transactions: (block['transactions'] as Json[]).slice(1),
        })),
      }),
      /transactions are not those/,
    ],
  ])('is not recorded while the endpoint %s', async (_what, faults, reason) => {
    const pool = await open();
    proxy.setFaults(faults());
    await expect(credits(pool)).rejects.toThrow(reason);
    expect(proxy.faulted).toBeGreaterThan(0);
    expect(pool.report()[0]).toMatchObject({ state: 'resting' });
    proxy.setFaults({});
    expect(await credits(pool)).toMatchObject(truth);
  });

  /** A log that no contract has emitted, in the only transaction of a block. */
  async function invented(): Promise<Faults> {
    const { blockHash, blockNumber, transactionHash } =
      (await node.rpc<Json[]>('eth_getBlockReceipts', [await node.blockHash(foreign)]))[0] ?? {};
    const about = { blockHash, blockNumber, transactionHash, transactionIndex: '0x0', logIndex: '0x0' };
    const log = { ...about, address: token, topics: [TRANSFER, word(OTHER), word(US)], data: word(1_000n) };
    const add = (receipt: Json) => ({ ...receipt, logs: [log] });
    return {
      eth_getLogs: changed(() => [log]),
      eth_getTransactionReceipt: changed(add),
      eth_getBlockReceipts: changed((list: Json[]) => list.map(add)),
    };
  }

  it('is not recorded when the endpoint invents its log', async () => {
    const pool = await open();
    proxy.setFaults(await invented());
    await expect(credits(pool, foreign)).rejects.toThrow(/receipts are not those/);
    proxy.setFaults({});
    expect(await credits(pool, foreign)).toEqual([]);
  });

  it('would be recorded without the rule, which shows that the forgeries are effective', async () => {
    const pool = await open(new Map());
    proxy.setFaults(await invented());
    expect(await credits(pool, foreign)).toMatchObject([{ amount: 1_000n }]);
    proxy.setFaults({ ...forgedToken, ...forgedTrace });
    expect(await credits(pool)).toMatchObject([{ amount: 70n }, { amount: 80n }]);
  });

  const unknownShape = changed((block: Json) => ({ ...block, requestsHash: word(7n) }));
  it.each<[string, Faults, string[]]>([
    ['does not show full blocks', {}, ['eth_getBlockByHash']],
    ['no longer has the block', { eth_getBlockByHash: changed(() => null) }, []],
    [
      'fails',
      { eth_getBlockReceipts: (call) => ({ id: call.id, error: { code: -32000, message: 'oops' } }) },
      [],
    ],
    [
      'has headers with a field that is not known here',
      { eth_getBlockByHash: unknownShape, eth_getBlockByNumber: unknownShape },
      [],
    ],
  ])('waits alone while the endpoint %s', async (_what, faults, hidden) => {
    const pool = await open();
    proxy.hide(hidden);
    proxy.setFaults(faults);
    expect(await credits(pool)).toMatchObject(truth.map((one) => ({ ...one, awaitsAgreement: true })));
    const small = await open(new Map([['native', 8n]]));
    expect((await credits(small)).some((one) => one.awaitsAgreement)).toBe(false);
    proxy.hide([]);
    proxy.setFaults({});
    expect((await credits(pool)).some((one) => one.awaitsAgreement)).toBe(false);
  });

  it('is announced to wait when the endpoint is first used, where its headers are not known', async () => {
    proxy.setFaults({ eth_getBlockByNumber: unknownShape });
    const { pool } = adapters.createPool([proxy.url], { proveFrom: ALL() });
    await pool.probe();
    expect(pool.report()[0]?.needs).toEqual([expect.stringContaining('large transfers wait')]);
    proxy.setFaults({});
    expect((await open()).report()[0]?.needs).toEqual([]);
  });
});
