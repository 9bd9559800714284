import { keepPace, ownInterval } from '../src/demo/dev-chain-pace.js';
import { startAnvil, type TestChain } from './support/anvil.js';
import { RpcProxy } from './support/rpc-proxy.js';

/** Seconds. */
const STEP = 0.02;

let chain: TestChain;
let proxy: RpcProxy;

beforeAll(async () => {
  chain = await startAnvil({ blockTime: ownInterval(STEP) });
  proxy = await RpcProxy.start(chain.url);
});

afterAll(async () => {
  await proxy.stop();
  await chain.stop();
});

/** Blocks that the heartbeat has asked for; anvil mines others by itself every three seconds. */
const asked = () => proxy.seen.filter(({ method }) => method === 'evm_mine').length;

/** A heartbeat with a way to wait for a number of its beats. */
function startPace() {
  const waiting: { beats: number; resolve: () => void }[] = [];
  const pace = keepPace(proxy.url, STEP, async () => {
    for (const waiter of waiting) if (--waiter.beats === 0) waiter.resolve();
  });
  const beats = (count: number) => new Promise<void>((resolve) => waiting.push({ beats: count, resolve }));
  return { pace, beats };
}

describe('keepPace', () => {
  it.each([
    [1, 3],
    [2, 3],
    [3, 3],
    [12, 12],
  ])('with a block time of %p s lets anvil mine every %p s', (step, own) => {
    expect(ownInterval(step)).toBe(own);
  });

  it('mines a block per interval, and restores automatic mining when it ends', async () => {
    const before = await chain.blockNumber();
    proxy.setFaults({});
    const { pace, beats } = startPace();
    await beats(20);
    await pace.stop();
    // One more may have been under way when the twentieth ended.
    expect([20, 21]).toContain(asked());
    expect((await chain.blockNumber()) - before).toBeGreaterThanOrEqual(asked());
    expect(await chain.rpc('anvil_getIntervalMining')).toBe(3);
  });

  it('does not change the interval while blocks are mined by hand', async () => {
    const { pace, beats } = startPace();
    await chain.rpc('evm_setIntervalMining', [0]);
    // The beat under way may still count.
    await beats(2);
    await chain.rpc('evm_setIntervalMining', [0]);
    const before = await chain.blockNumber();
    await beats(10);
    expect(await chain.blockNumber()).toBe(before);
    await chain.rpc('evm_setIntervalMining', [ownInterval(STEP)]);
    await beats(3);
    expect(await chain.blockNumber()).toBeGreaterThan(before);
    await pace.stop();
  });
});
