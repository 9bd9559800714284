import { jest } from '@jest/globals';
import { SchedulerRegistry } from '@nestjs/schedule';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as atRest } from 'node:timers/promises';
import type { Config } from '../../config.js';
import { PollingLoops } from './polling-loop.js';
import { LoopName } from '../kernel/loop-name.pure.js';

const HOUR_MS = 3_600_000;

test('a polling loop runs its turns outside the async context of the caller that woke it', async () => {
  const loops = new PollingLoops(new SchedulerRegistry(), { loops: true, role: 'all' } as Config);
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  loops.start({ name: LoopName.Refunds, role: 'worker', intervalMs: HOUR_MS }, async () => {
    seen.push(caller.getStore());
    return seen.length === 2;
  });
  await atRest();
  expect(seen).toEqual([undefined]);
  caller.run('a request', () => loops.wake(LoopName.Refunds));
  await atRest();
  expect(seen).toEqual([undefined, undefined, undefined]);
  await loops.beforeApplicationShutdown();
});

test('waking a loop that this process does not run does nothing', async () => {
  const loops = new PollingLoops(new SchedulerRegistry(), { loops: true, role: 'api' } as Config);
  let turns = 0;
  loops.start({ name: LoopName.Refunds, role: 'worker', intervalMs: HOUR_MS }, async () => {
    turns++;
    return false;
  });
  loops.wake(LoopName.Refunds);
  await atRest();
  expect(turns).toBe(0);
  await loops.beforeApplicationShutdown();
});

test('waking one scope of a loop leaves its other scopes asleep', async () => {
  const loops = new PollingLoops(new SchedulerRegistry(), { loops: true, role: 'all' } as Config);
  const turns: string[] = [];
  for (const scope of ['ethereum', 'bitcoin'])
    loops.start({ name: LoopName.ChainWatcher, scope, role: 'watcher', intervalMs: HOUR_MS }, async () => {
      turns.push(scope);
      return false;
    });
  await atRest();
  loops.wake(LoopName.ChainWatcher, 'bitcoin');
  await atRest();
  expect(turns).toEqual(['ethereum', 'bitcoin', 'bitcoin']);
  await loops.beforeApplicationShutdown();
});

test('the interval starts anew at the end of every turn', async () => {
  const refresh = jest.fn();
  const timer = jest.spyOn(globalThis, 'setInterval').mockReturnValue({ refresh } as never);
  try {
    const loops = new PollingLoops(new SchedulerRegistry(), { loops: true, role: 'all' } as Config);
    const begun: number[] = [];
    loops.start({ name: LoopName.Refunds, role: 'worker', intervalMs: HOUR_MS }, async () => {
      begun.push(refresh.mock.calls.length);
      return false;
    });
    await atRest();
    loops.wake(LoopName.Refunds);
    await atRest();
    expect(timer).toHaveBeenCalledWith(expect.any(Function), HOUR_MS);
    expect(begun).toEqual([0, 1]);
    expect(refresh).toHaveBeenCalledTimes(2);
    await loops.beforeApplicationShutdown();
  } finally {
    timer.mockRestore();
  }
});

describe('a loop with a turn under way', () => {
  let loops: PollingLoops;
  let turns: ((isMore: boolean) => void)[];

  beforeEach(() => {
    loops = new PollingLoops(new SchedulerRegistry(), { loops: true, role: 'all' } as Config);
    turns = [];
    const options = { name: LoopName.Refunds, role: 'worker', intervalMs: HOUR_MS } as const;
    loops.start(options, () => new Promise<boolean>((resolve) => turns.push(resolve)));
  });
  // Ends the interval, also of a test that failed.
  afterEach(async () => {
    const shutdown = loops.beforeApplicationShutdown();
    for (const end of turns) end(false);
    await shutdown;
  });

  it('takes another one at once when it is woken meanwhile', async () => {
    loops.wake(LoopName.Refunds);
    loops.wake(LoopName.Refunds);
    expect(turns).toHaveLength(1);
    turns[0]?.(false);
    await atRest();
    expect(turns).toHaveLength(2);
    turns[1]?.(false);
    await atRest();
    expect(turns).toHaveLength(2);
  });

  it('ends it before the gateway shuts down, and begins no other', async () => {
    let isShutDown = false;
    const shutdown = loops.beforeApplicationShutdown().then(() => (isShutDown = true));
    loops.wake(LoopName.Refunds);
    await atRest();
    expect(isShutDown).toBe(false);
    turns[0]?.(true);
    await shutdown;
    expect(turns).toHaveLength(1);
  });
});
