import { setTimeout as delay } from 'node:timers/promises';
import { PollingLoops } from '../src/platform/database/polling-loop.js';
import { LoopName } from '../src/platform/kernel/loop-name.pure.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { HookSink, type Manner } from './support/hook-sink.js';
import { eventColumns, fillHooks, HOOK_ENV, hookOf, INSERT_EVENTS } from './support/hooks.js';
import { interleave, ownCpu, printTable, type Sample, timed } from './support/measure.js';

const ENDPOINTS = 200;
const EVENTS_PER_SECOND = 200;
/** Events are committed in groups, as blocks bring them. */
const GROUP = 4;
const DEADLINE_MS = 60_000;

/** What bad endpoints cost the healthy ones: 5 % hang, 5 % take two seconds, 5 % answer 500. */
export const hookIsolation: Benchmark = { name: 'hook-isolation', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const events = scaled(20 * EVENTS_PER_SECOND, options, 2 * ENDPOINTS);
  const sink = await HookSink.start();
  const run = (manners: readonly Manner[]) => {
    const database = BenchDatabase.start().then(async (made) => {
      await fillHooks(made, sink, manners, events);
      return made;
    });
    return async (): Promise<Sample> => oneRound(await database, sink, manners, events);
  };
  const healthy = Array.from({ length: ENDPOINTS }, (): Manner => 'ok');
  const cases = {
    '15 % of the endpoints bad': run(healthy.map((_, i) => mannerOf(i))),
    'all endpoints healthy': run(healthy),
  };
  const results = await interleave(cases, options.rounds);
  printTable(results, 'healthy event');
  return { events, endpoints: ENDPOINTS, perSecond: EVENTS_PER_SECOND, results };
}

function mannerOf(endpoint: number): Manner {
  const bad: Record<number, Manner> = { 3: 'hang', 9: 'slow', 15: 'fail' };
  return bad[endpoint % 20] ?? 'ok';
}

/** Latency from the commit to the arrival, of those that are healthy in both cases. */
async function oneRound(
  database: BenchDatabase,
  sink: HookSink,
  manners: readonly Manner[],
  events: number,
): Promise<Sample> {
  const url = await database.clone();
  const { get, sql, close } = await openGateway(url, HOOK_ENV, { loops: true });
  const loops = get(PollingLoops);
  const numbers = Array.from({ length: events }, (_, i) => i);
  const healthy = numbers.filter((i) => mannerOf(i % ENDPOINTS) === 'ok');
  const commits = new Map<string, bigint>();
  await sink.expect(Number.MAX_SAFE_INTEGER);
  let arrivals = new Map<string, bigint>();
  const sample = await timed(
    { gateway: ownCpu, postgres: () => database.cpu(), sink: () => sink.cpu() },
    async () => {
      const start = performance.now();
      for (let i = 0; i < events; i += GROUP) {
        const wait = start + (i * 1_000) / EVENTS_PER_SECOND - performance.now();
        if (wait > 1) await delay(wait);
        const to = Math.min(events, i + GROUP);
        await sql.transaction((tx) => tx.query(INSERT_EVENTS, eventColumns(i, to, ENDPOINTS)));
        const now = process.hrtime.bigint();
        for (let k = i; k < to; k++) commits.set(hookOf(k, ENDPOINTS).id, now);
        loops.wake(LoopName.WebhookDelivery);
      }
      const deadline = performance.now() + DEADLINE_MS;
      do {
        await delay(50);
        ({ arrivals } = await sink.read());
        demand(performance.now() < deadline, 'healthy endpoints did not get everything in time');
      } while (!healthy.every((i) => arrivals.has(hookOf(i, ENDPOINTS).id)));
      return healthy.length;
    },
  );
  const latencies = healthy.map((i) => {
    const { id } = hookOf(i, ENDPOINTS);
    return Number((arrivals.get(id) ?? 0n) - (commits.get(id) ?? 0n)) / 1e6;
  });
  const [busy] = await sql.query<{ most: number }>(
    `select coalesce(max(tries), 0)::int as most from (
       select count(*) as tries from webhook_deliveries where lease_until > clock_timestamp() group by application_id) open`,
  );
  demand((busy?.most ?? 0) <= 4, `${busy?.most} tries under way to one endpoint`);
  if (!manners.includes('hang')) demand(arrivals.size === events, 'an event never came');
  await Promise.all([close(), sink.hangUp()]);
  await database.drop(url);
  return { ...sample, latencies };
}
