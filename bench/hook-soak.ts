import { setTimeout as delay } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { PollingLoops } from '../src/platform/database/polling-loop.js';
import { LoopName } from '../src/platform/kernel/loop-name.pure.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { HookSink, type Manner } from './support/hook-sink.js';
import { eventColumns, fillHooks, HOOK_ENV, hookOf, INSERT_EVENTS } from './support/hooks.js';

const ENDPOINTS = 200;
const EVENTS_PER_SECOND = 100;
const MANNERS: Record<number, Manner> = { 3: 'hang', 9: 'slow', 15: 'fail' };
const MEGABYTE = 2 ** 20;
/** Share of the run before the line is drawn: caches fill, code is compiled, backlogs of bad endpoints begin. */
const WARM_UP = 0.2;
const SAMPLES = 60;

interface Held {
  minutes: number;
  heapMb: number;
  residentMb: number;
}

/** Thirty minutes of events with 15 % bad endpoints: what the process holds must not grow. */
export const hookSoak: Benchmark = { name: 'hook-soak', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const seconds = scaled(1_800, options, 6);
  const events = seconds * EVENTS_PER_SECOND;
  const sink = await HookSink.start();
  const database = await BenchDatabase.start();
  const manners = Array.from({ length: ENDPOINTS }, (_, i): Manner => MANNERS[i % 20] ?? 'ok');
  await fillHooks(database, sink, manners, events);
  const { get, sql, close } = await openGateway(await database.clone(), HOOK_ENV, { loops: true });
  await sink.expect(Number.MAX_SAFE_INTEGER);
  const samples: Held[] = [];
  const collect = collector();
  const start = performance.now();
  const elapsed = () => (performance.now() - start) / 1_000;
  let next = 0;
  while (next < events) {
    const due = Math.min(events, Math.floor(elapsed() * EVENTS_PER_SECOND));
    if (due > next) {
      await sql.query(INSERT_EVENTS, eventColumns(next, due, ENDPOINTS));
      get(PollingLoops).wake(LoopName.WebhookDelivery);
      next = due;
    }
    if (elapsed() >= (samples.length * seconds) / SAMPLES) {
      collect();
      const { heapUsed, rss } = process.memoryUsage();
      samples.push({ minutes: elapsed() / 60, heapMb: heapUsed / MEGABYTE, residentMb: rss / MEGABYTE });
      const { heapMb, residentMb } = samples.at(-1) ?? { heapMb: 0, residentMb: 0 };
      console.error(
        `   ${elapsed().toFixed(0)} s: heap ${heapMb.toFixed(1)} MB, resident ${residentMb.toFixed(0)} MB`,
      );
    }
    await delay(20);
  }
  // For what was committed last.
  await delay(2_000);
  const { arrivals } = await sink.read();
  const healthy = Array.from({ length: events }, (_, i) => i).filter((i) => manners[i % ENDPOINTS] === 'ok');
  const late = healthy.filter((i) => !arrivals.has(hookOf(i, ENDPOINTS).id)).length;
  demand(late === 0, `${late} of ${healthy.length} events of healthy endpoints did not come`);
  await Promise.all([close(), sink.hangUp()]);
  const settled = samples.filter(({ minutes }) => minutes * 60 >= WARM_UP * seconds);
  const slopes = {
    heapMbPerHour: slopePerHour(settled, ({ heapMb }) => heapMb),
    residentMbPerHour: slopePerHour(settled, ({ residentMb }) => residentMb),
  };
  console.error(
    `   slope: heap ${slopes.heapMbPerHour.toFixed(1)}, resident ${slopes.residentMbPerHour.toFixed(1)} MB/h`,
  );
  return { seconds, events, ...slopes, first: settled[0], last: settled.at(-1) };
}

/** Least squares through the samples. */
function slopePerHour(samples: readonly Held[], read: (held: Held) => number): number {
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const [x, y] = [samples.map(({ minutes }) => minutes / 60), samples.map(read)];
  const [meanX, meanY] = [mean(x), mean(y)];
  const above = x.reduce((sum, value, i) => sum + (value - meanX) * ((y[i] ?? 0) - meanY), 0);
  const below = x.reduce((sum, value) => sum + (value - meanX) ** 2, 0);
  return below === 0 ? 0 : above / below;
}

/** Full collections, without a flag on the command line. */
function collector(): () => void {
  setFlagsFromString('--expose-gc');
  return runInNewContext('gc') as () => void;
}
