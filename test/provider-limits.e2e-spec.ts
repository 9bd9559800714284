import { Logger } from '@nestjs/common';
import { EvmPool } from '../src/chains/evm/evm-pool.js';
import { JsonRpc } from '../src/chains/json-rpc.js';
import { startAnvil, type TestChain } from './support/anvil.js';
import { evmChain } from './support/evm-chain.js';
import { LimitedProvider, type LimitCounts, type Limits } from './support/provider-limits.js';
import { type PaidChain, payChain, tryProvider } from './support/provider-trial.js';
import { TestClock } from './support/test-clock.js';

const TRACES = ['trace_block', 'debug_traceBlockByHash'];

let node: TestChain;
let chain: PaidChain;
let provider: LimitedProvider;

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  chain = await payChain(node, 24);
  provider = await LimitedProvider.start(node.url);
});
afterAll(async () => {
  await provider.stop();
  await node.stop();
});

describe('a chain behind a provider', () => {
  it.each<[what: string, limits: Limits, applied: keyof LimitCounts]>([
    ['without batches', { batch: 0 }, 'batch'],
    ['that allows one call in a batch', { batch: 1 }, 'batch'],
    ['that allows three calls in a batch', { batch: 3 }, 'batch'],
    ['that allows ten calls in a batch', { batch: 10 }, 'batch'],
    ['that refuses long batches with HTTP 413', { batch: 3, batchStyle: 'http' }, 'batch'],
    ['that refuses each call of a long batch', { batch: 3, batchStyle: 'elements' }, 'batch'],
    ['that refuses a long batch in its first result', { batch: 3, batchStyle: 'first element' }, 'batch'],
    ['that refuses 10 % of requests with HTTP 429', { rate: 0.1 }, 'rate'],
    ['that refuses 50 % of requests with HTTP 429', { rate: 0.5 }, 'rate'],
    ['that refuses 50 % of calls, also within batches', { elementRate: 0.5 }, 'elementRate'],
    ['that allows five blocks in one eth_getLogs', { range: 5 }, 'range'],
    ['whose plan lacks traces', { withheld: TRACES }, 'withheld'],
    ['that answers 10 % of requests with a web page', { pages: 0.1 }, 'pages'],
    ['with several limits', { batch: 3, rate: 0.3, range: 10, withheld: TRACES }, 'rate'],
  ])('%s is read to its tip without a wrong credit', async (_what, limits, applied) => {
    // Waiting takes its time: fewer blocks.
    const above = limits.rate || limits.elementRate ? chain.height - 6 : 0;
    const result = await tryProvider(chain, provider, limits, above);
    expect(result).toMatchObject({ read: chain.height, wrong: [] });
    expect(result.counts[applied]).toBeGreaterThan(0);
  });
});

describe('a limit', () => {
  const open = (urls = [provider.url]) => {
    const clock = new TestClock();
    const nodes = urls.map((url) => new JsonRpc(url, { clock, deadlineMs: 10_000 }));
    const pool = new EvmPool(evmChain([chain.token], node.chainId), nodes, clock, 5_000);
    return { clock, nodes, pool, close: () => Promise.all(nodes.map((one) => one.close())) };
  };

  it('of a batch is learned, and a larger one tried again only later', async () => {
    provider.limit({ batch: 10 });
    const { nodes, clock, close } = open();
    const calls = Array.from(
      { length: 100 },
      (_, i) => ['eth_getBlockByNumber', [`0x${(i % 20).toString(16)}`, false]] as const,
    );
    const [rpc] = nodes as [JsonRpc];
    expect(await rpc.batch(calls)).toHaveLength(100);
    const refused = provider.counts.batch;
    await rpc.batch(calls);
    expect(provider.counts.batch).toBe(refused);
    clock.advanceSeconds(600);
    await rpc.batch(calls);
    expect(provider.counts.batch).toBe(refused + 1);
    await close();
  });

  it('of the rate is waited for, without a request and without a new identification', async () => {
    provider.limit({});
    const { pool, clock, close } = open();
    await pool.probe();
    const before = provider.counts.requests;
    provider.limit({ rate: 1, retryAfter: '30' });
    await expect(pool.tip()).rejects.toThrow('rate limited: no requests for another 30 s');
    expect(provider.counts.requests).toBe(1);
    expect(pool.report()).toMatchObject([{ state: 'limited', failures: 0 }]);
    // Longer than a call may wait (deadlineMs) is still left.
    clock.advanceSeconds(15);
    await expect(pool.tip()).rejects.toThrow('rate limited');
    expect(provider.counts.requests).toBe(1);
    provider.limit({});
    clock.advanceSeconds(15);
    expect((await pool.tip()).height).toBe(chain.height);
    // One request: the node is not asked for its chain id again.
    expect(provider.counts.requests).toBe(1);
    expect(pool.report()).toMatchObject([{ state: 'ok', failures: 0, lastError: null }]);
    expect(before).toBeGreaterThan(1);
    await close();
  });

  it('of one endpoint makes another serve', async () => {
    const other = await LimitedProvider.start(node.url);
    provider.limit({});
    const { pool, close } = open([provider.url, other.url]);
    await pool.probe();
    provider.limit({ rate: 1, retryAfter: '30' });
    other.limit({});
    expect((await pool.tip()).height).toBe(chain.height);
    expect((await pool.block(chain.height))?.candidates.length).toBeGreaterThan(0);
    expect(provider.counts.requests).toBe(1);
    expect(pool.report()).toMatchObject([
      { state: 'limited', failures: 0 },
      { state: 'ok', failures: 0 },
    ]);
    await close();
    await other.stop();
  });

  it('of the plan is named in the report, and not tried again at once', async () => {
    provider.limit({ withheld: [...TRACES, 'eth_getBlockReceipts', 'eth_getLogs'] });
    const { pool, clock, close } = open();
    await pool.probe();
    for (let i = 0; i < 5; i++)
      await expect(pool.block(chain.height)).rejects.toThrow('not available on the Free tier');
    const tried = provider.counts.withheld;
    await expect(pool.block(chain.height)).rejects.toThrow('eth_getLogs');
    expect(provider.counts.withheld).toBe(tried);
    const [{ needs } = { needs: [] }] = pool.report();
    expect(needs).toEqual([
      expect.stringContaining('trace_block is not available on the Free tier'),
      expect.stringContaining('eth_getLogs is not available on the Free tier'),
    ]);
    provider.limit({});
    clock.advanceSeconds(31);
    expect(await pool.block(chain.height)).toMatchObject({ height: chain.height });
    await close();
  });
});
