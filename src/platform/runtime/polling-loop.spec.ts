import { SchedulerRegistry } from '@nestjs/schedule';
import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate as atRest } from 'node:timers/promises';
import type { Config } from '../../config.js';
import { PollingLoops } from './polling-loop.js';

const HOUR_MS = 3_600_000;

test('a turn knows nothing of whoever woke the loop, nor does the next one', async () => {
  const loops = new PollingLoops(new SchedulerRegistry(), { loops: true, role: 'all' } as Config);
  const caller = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  loops.start('worker', 'observed', HOUR_MS, async () => {
    seen.push(caller.getStore());
    return seen.length === 2;
  });
  await atRest();
  expect(seen).toEqual([undefined]);
  caller.run('a request', () => loops.wake('observed'));
  await atRest();
  expect(seen).toEqual([undefined, undefined, undefined]);
  await loops.beforeApplicationShutdown();
});
