import { freePort } from './support/free-port.js';
import { Logger } from '@nestjs/common';
import fc from 'fast-check';
import { type ChainAdapter, ChainInconsistencyError } from '../src/chains/chain-adapter.pure.js';
import { RpcError } from '../src/chains/rpc-error.pure.js';
import { creditsAt } from './chain-adapter.contract.js';
import { type Hex, startAnvil, type TestChain } from './support/anvil.js';
import { EvmAdapters, keyOf, mineOne } from './support/evm-chain.js';
import { answering, changed, HANG, type RpcFault, raw, type Reply, RpcProxy } from './support/rpc-proxy.js';
import { PATIENCE_MS, watchDeadlines } from './support/silence.js';

const US: Hex = `0x${'c0ffee'.padStart(40, '0')}`;
const MAX_RESPONSE = 200_000;

const forgetDeadlines = watchDeadlines();
const adapters = new EvmAdapters();
let node: TestChain;
let proxy: RpcProxy;
let adapter: ChainAdapter;
let open: () => ChainAdapter;
/** A block with a native and a token payment to us. */
let height: number;

const credits = () => creditsAt(adapter, height, [keyOf(US)]);

beforeAll(async () => {
  Logger.overrideLogger(false);
  node = await startAnvil();
  proxy = await RpcProxy.start(node.url);
  const { address: token } = await node.deployToken();
  await node.sendEth({ to: US, value: 7n });
  await node.sendToken({ token, to: US, value: 8n });
  height = await mineOne(node);
  open = () =>
    adapters.create(proxy.url, {
      tokens: [token],
      deadlineMs: PATIENCE_MS,
      maxResponseBytes: MAX_RESPONSE,
    });
  adapter = open();
});
beforeEach(async () => {
  proxy.setFaults({});
  await adapter.probe();
});
afterAll(async () => {
  await adapters.close();
  await proxy.stop();
  await node.stop();
  forgetDeadlines();
});

describe('a node with malformed responses', () => {
  it.each<[string, RpcFault]>([
    ['no JSON', raw('<html>Bad gateway</html>')],
    ['no JSON with an error status', raw('<html>Bad gateway</html>', 502)],
    ['nothing', raw('')],
    ['an error status without an error', raw('{}', 500)],
    [
      'another id',
      ({ id: _id, ...call }, answer) => answer().then((reply) => ({ ...reply, ...call, id: 0 })),
    ],
    ['no id', ({ method: _method }, answer) => answer().then(({ result }) => ({ result }))],
    ['no result', ({ id }) => ({ jsonrpc: '2.0', id })],
    ['a list for one call', (_call, answer) => answer().then((reply) => [reply])],
    ['null', () => null],
    ['a number', () => 5],
    ['an error', ({ id }) => ({ id, error: { code: -32603, message: 'Internal error' } })],
    ['an error without a code', ({ id }) => ({ id, error: {} })],
    ['a null result', answering(null)],
    ['a list', answering([[]])],
    ['more than the cap', raw(Buffer.alloc(MAX_RESPONSE + 1, ' '))],
    ['never', raw(HANG)],
  ])('is refused: %s', async (_what, fault) => {
    proxy.setFaults({ '*': fault });
    const failures = [adapter.probe(), adapter.tip(), credits()].map((work) =>
      work.then(
        () => null,
        (error: unknown) => error,
      ),
    );
    for (const error of await Promise.all(failures)) {
      if (error instanceof RpcError || error instanceof ChainInconsistencyError) continue;
      // The block is gone as far as the node says, which is what null means.
      expect(error).toMatchObject({ message: `no block at ${height}` });
    }
  });

  it('is read as UTF-8, with a byte order mark and without', async () => {
    const right = await adapter.tip();
    for (const mark of ['', '\ufeff']) {
      proxy.setFaults({
        '*': async (call, answer) =>
          raw(`${mark}${JSON.stringify({ ...(await answer()), note: 'é€' })}`)(call, answer),
      });
      expect(await adapter.tip()).toEqual(right);
      expect(proxy.faulted).toBeGreaterThan(0);
    }
  });

  it('is waited for no longer than the deadline', async () => {
    proxy.setFaults({ '*': raw(HANG) });
    await expect(adapter.tip()).rejects.toThrow('did not answer');
  });

  it('causes an error of one short line, without the address and its key', async () => {
    const secret = 'k3y-of-the-operator';
    const hostile = `boom\n${'x'.repeat(1_000)}`;
    proxy.setFaults({ '*': ({ id }) => ({ id, error: { code: -1, message: hostile } }) });
    const withKey = adapters.create(`${proxy.url}/v3/${secret}?key=${secret}`);
    const refused = await withKey.tip().catch((error: Error) => error.message);
    expect(refused).toMatch(/^eth_getBlockByNumber: boom x{10,200}$/);
    const closed = await freePort();
    const silent = adapters.create(`http://user:${secret}@127.0.0.1:${closed}/${secret}`);
    const unreachable = await silent.tip().catch((error: Error) => `${error.message} ${error.stack}`);
    expect(unreachable).toContain('ECONNREFUSED');
    expect(unreachable).not.toContain(secret);
  });

  it('gets the credentials of its URL as a header', async () => {
    const seen: (string | undefined)[] = [];
    proxy.onRequest = (headers) => seen.push(headers.authorization);
    const url = new URL(proxy.url);
    [url.username, url.password] = ['user', 'p@ss'];
    await adapters.create(url.toString()).tip();
    expect(seen).toEqual([`Basic ${Buffer.from('user:p@ss').toString('base64')}`]);
  });
});

describe('a batch', () => {
  /** What was learned of a proxy in one test does not count in the next. */
  beforeEach(() => {
    adapter = open();
  });
  afterEach(() => {
    proxy.onBatch = null;
  });

  /** Replaces the response to a batch of receipts: the proxy sees the calls one by one, the response as a whole. */
  it.each<[string, (replies: Reply[]) => unknown]>([
    ['one object', ([reply]) => reply],
    ['fewer answers', (replies) => replies.slice(1)],
    ['the same answer twice', ([reply]) => [reply, reply]],
    [
      'an error among them',
      ([reply, other]) => [reply, { ...other, result: undefined, error: { code: 1, message: 'no' } }],
    ],
    ['numbers', () => [1, 2]],
  ])('with %s as the response credits nothing', async (_what, change) => {
    proxy.onBatch = change;
    await expect(credits()).rejects.toThrow();
  });

  it('is read in any order of its responses', async () => {
    proxy.onBatch = (replies) => replies.toReversed();
    expect(await credits()).toHaveLength(2);
  });
});

describe('any field of any response', () => {
  const GARBAGE: unknown[] = [
    null,
    undefined,
    -1,
    0,
    1e300,
    '',
    '0x',
    '0xzz',
    '-0x1',
    `0x${'f'.repeat(65)}`,
    'ÿ',
    [],
    {},
    true,
    [[]],
  ];

  /** Paths to all leaves of a reply's result. */
  function leaves(value: unknown, path: (string | number)[] = []): (string | number)[][] {
    if (typeof value !== 'object' || value === null) return [path];
    return Object.entries(value).flatMap(([key, child]) => leaves(child, [...path, key]));
  }

  function replaced(value: unknown, [key, ...rest]: (string | number)[], garbage: unknown): unknown {
    if (key === undefined) return garbage;
    const copy = Array.isArray(value) ? [...(value as unknown[])] : { ...(value as object) };
    Reflect.set(copy, key, replaced(Reflect.get(copy, key), rest, garbage));
    return copy;
  }

  it('can be garbage and causes a gateway error or the right result, never a false credit', async () => {
    const truth = await credits();
    const methods = ['eth_getBlockByNumber', 'eth_getLogs', 'trace_block', 'eth_getTransactionReceipt'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...methods),
        fc.nat(),
        fc.constantFrom(...GARBAGE),
        async (method, at, garbage) => {
          proxy.setFaults({
            [method]: changed((result) => {
              const paths = leaves(result);
              return replaced(result, paths[at % paths.length] ?? [], garbage);
            }),
          });
          const outcome = await credits().catch((error: unknown) => error);
          if (outcome instanceof Error) {
            const isKnown = outcome instanceof ChainInconsistencyError || outcome instanceof RpcError;
            expect([outcome, isKnown]).toEqual([outcome, true]);
          } else {
            for (const credit of outcome as unknown[]) expect(truth).toContainEqual(credit);
          }
        },
      ),
      { numRuns: 400 },
    );
  });
});
