import { setTimeout as delay } from 'node:timers/promises';
import { PollingLoops } from '../src/platform/database/polling-loop.js';
import { LoopName } from '../src/platform/kernel/loop-name.pure.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { type HookPeer, peerCases, poolOf } from './support/hook-peers.js';
import { HookSink } from './support/hook-sink.js';
import { eventColumns, fillHooks, HOOK_ENV, hookOf, INSERT_EVENTS, RawClient } from './support/hooks.js';
import { type Cases, interleave, ownCpu, printTable, type Sample, timed } from './support/measure.js';

const EVENTS_PER_SECOND = 150;
const ENDPOINTS = 100;
const CONNECTIONS = 64;
const DEADLINE_MS = 60_000;
/** Events before the clock counts: plans are made, code is compiled, connections are open. */
const WARM_UP = 300;

/** From the commit of an event to its request's arrival at the merchant, at a steady rate. */
export const hookLatency: Benchmark = { name: 'hook-latency', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const counted = scaled(15 * EVENTS_PER_SECOND, options, 100);
  const events = counted + Math.min(WARM_UP, counted);
  const sink = await HookSink.start();
  const database = await BenchDatabase.start();
  await fillHooks(
    database,
    sink,
    Array.from({ length: ENDPOINTS }, () => 'ok'),
    events,
  );
  const raw = new RawClient(sink.origin, CONNECTIONS);
  const cpu = { gateway: ownCpu, postgres: () => database.cpu(), sink: () => sink.cpu() };

  /** @param commit resolves when event number `i` is committed */
  const run = async (
    commit: (i: number) => Promise<unknown>,
    committed: (i: number) => void,
  ): Promise<Sample> => {
    await sink.expect(events);
    const isComplete = sink.complete(DEADLINE_MS);
    const commits = new Map<string, bigint>();
    const sample = await timed(cpu, async () => {
      await steadily(events, async (i) => {
        await commit(i);
        commits.set(hookOf(i, ENDPOINTS).id, process.hrtime.bigint());
        committed(i);
      });
      await isComplete;
      return events;
    });
    const { arrivals } = await sink.read();
    const counting = Array.from({ length: counted }, (_, i) => hookOf(events - counted + i, ENDPOINTS).id);
    const latencies = counting.map((id) => {
      const [from, to] = [commits.get(id), arrivals.get(id)];
      demand(from !== undefined && to !== undefined, `event ${id} never came`);
      // A peer may learn of a job before its producer learns of the commit.
      return Math.max(0, Number(to - from) / 1e6);
    });
    return { ...sample, latencies };
  };
  const gateway = async (): Promise<Sample> => {
    const url = await database.clone();
    const { get, sql, close } = await openGateway(url, HOOK_ENV, { loops: true });
    const loops = get(PollingLoops);
    try {
      return await run(
        (i) => sql.transaction((tx) => tx.query(INSERT_EVENTS, eventColumns(i, i + 1, ENDPOINTS))),
        () => loops.wake(LoopName.WebhookDelivery),
      );
    } finally {
      await close();
      await database.drop(url);
    }
  };
  /** The floor: the same commit, and the request in the next line. */
  const byHand = async (): Promise<Sample> => {
    const url = await database.clone();
    const pool = poolOf(url);
    try {
      return await run(
        (i) => pool.query(INSERT_EVENTS, eventColumns(i, i + 1, ENDPOINTS)),
        (i) => void raw.post(hookOf(i, ENDPOINTS)).catch((error: unknown) => console.error(error)),
      );
    } finally {
      await pool.end();
      await database.drop(url);
    }
  };
  const peer = ({ add }: HookPeer): Promise<Sample> =>
    run(
      (i) => add([hookOf(i, ENDPOINTS)]),
      () => undefined,
    );
  const cases: Cases = {
    gateway,
    'commit and request by hand': byHand,
    ...peerCases(options, database, raw, peer),
  };
  const results = await interleave(cases, options.rounds);
  printTable(results, 'event');
  return { events: counted, perSecond: EVENTS_PER_SECOND, results };
}

/** Begins one piece of work after the other at its time, whether the ones before have ended or not. */
async function steadily(count: number, begin: (i: number) => Promise<void>): Promise<void> {
  const start = performance.now();
  const begun: Promise<void>[] = [];
  for (let i = 0; i < count; i++) {
    const wait = start + (i * 1_000) / EVENTS_PER_SECOND - performance.now();
    if (wait > 1) await delay(wait);
    begun.push(begin(i));
  }
  await Promise.all(begun);
}
