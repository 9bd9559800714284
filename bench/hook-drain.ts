import { setTimeout as delay } from 'node:timers/promises';
import { SITE_VERSION } from '../src/applications/joined-sites.service.js';
import { PollingLoops } from '../src/platform/database/polling-loop.js';
import { LoopName } from '../src/platform/kernel/loop-name.pure.js';
import type { Sql } from '../src/platform/database/sql.js';
import { type ClaimedDelivery, DeliveriesService } from '../src/webhooks/deliveries.service.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { type HookPeer, peerCases } from './support/hook-peers.js';
import { HookSink } from './support/hook-sink.js';
import {
  eventColumns,
  fillHooks,
  HOOK_ENV,
  HOOK_TYPE,
  type Hook,
  hookOf,
  INSERT_EVENTS,
  RawClient,
} from './support/hooks.js';
import { type Cases, interleave, ownCpu, printTable, type Sample, timed } from './support/measure.js';

/** Concurrent requests of the upper bound. */
const IN_FLIGHT = 64;
const DEADLINE_MS = 120_000;
/** The peers are given a part of the events, or it would take minutes. */
const PEER_SHARE = 0.25;

/** A backlog of committed events until the last of them is answered and recorded. */
export const hookDrain: Benchmark = { name: 'hook-drain', run: measure };

async function measure(options: Options): Promise<Record<string, unknown>> {
  const events = scaled(20_000, options, 400);
  const endpoints = scaled(1_000, options, 20);
  const sink = await HookSink.start();
  const database = await BenchDatabase.start();
  await fillHooks(
    database,
    sink,
    Array.from({ length: endpoints }, () => 'ok'),
    events,
  );
  const raw = new RawClient(sink.origin, IN_FLIGHT);
  const hooks = Array.from({ length: events }, (_, i) => hookOf(i, endpoints));
  const cpu = { gateway: ownCpu, postgres: () => database.cpu(), sink: () => sink.cpu() };

  const drained = async (
    add: (part: readonly Hook[]) => Promise<void>,
    part: readonly Hook[],
  ): Promise<number> => {
    const isComplete = sink.complete(DEADLINE_MS);
    await add(part);
    await isComplete;
    return part.length;
  };
  const ceiling = async (): Promise<Sample> => {
    await sink.expect(events);
    return timed(cpu, () => drained((part) => postAll(raw, part), hooks));
  };
  const drain = async (hasDatabase: boolean): Promise<Sample> => {
    const url = await database.clone();
    const { get, sql, close } = await openGateway(url, HOOK_ENV, { loops: true });
    try {
      await sink.expect(events);
      const isComplete = sink.complete(DEADLINE_MS);
      const columns = eventColumns(0, events, endpoints);
      let start = () => {};
      if (hasDatabase) {
        await sql.query(INSERT_EVENTS, columns);
        // As autovacuum does while a backlog grows.
        await sql.query('analyze payment_events');
      } else {
        const deliveries = await sql.query<ClaimedDelivery>(DELIVERIES, columns);
        start = () => replaceOutbox(get(DeliveriesService), deliveries);
      }
      const sample = await timed(cpu, async () => {
        start();
        get(PollingLoops).wake(LoopName.WebhookDelivery);
        await isComplete;
        while (hasDatabase && !(await isAllRecorded(sql))) await delay(5);
        return events;
      });
      if (hasDatabase) await demandEachOnce(sink, sql, events);
      else await demandRequests(sink, events);
      return sample;
    } finally {
      await close();
      await database.drop(url);
    }
  };
  const peer = async ({ add }: HookPeer): Promise<Sample> => {
    const part = hooks.slice(0, Math.max(1, Math.round(events * PEER_SHARE)));
    await sink.expect(part.length);
    // Enqueued in parts of 1,000, and delivered meanwhile.
    return timed(cpu, () =>
      drained(async (all) => {
        for (let i = 0; i < all.length; i += 1_000) await add(all.slice(i, i + 1_000));
      }, part),
    );
  };
  const cases: Cases = {
    gateway: () => drain(true),
    // What the gateway costs whatever its outbox is like: deliveries are handed to it, and nothing is written.
    'gateway without database': () => drain(false),
    'undici pool alone': ceiling,
    ...peerCases(options, database, raw, peer),
  };
  const results = await interleave(cases, options.rounds);
  printTable(results, 'event');
  return { events, endpoints, results };
}

/**
 * Deliveries as they are when claimed, of events that never were in the database: a turn of the loop that began
 * before the outbox was replaced has nothing to find. An event's id will do for its delivery's.
 */
const DELIVERIES = `
  select e.id, e.id as "eventId", e.payment as "paymentId", null as "testPaymentId", 2 as seq, e.mac, e.application as "applicationId", e.owner as "userId",
    '${HOOK_TYPE}' as type, 0 as attempts, null as "firstAttemptAt", 0 as "deferredSeconds", e.id as "leaseToken", e.body,
    e.at as "eventAt", false as "isSuperseded", ${SITE_VERSION} as "siteVersion",
    null as "ownCallbackUrl",
    a.sealed_secret as "sealedSecret", a.sealed_previous_secret as "sealedPreviousSecret",
    a.previous_secret_until as "previousSecretUntil"
  from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::text[], $6::timestamptz[], $7::text[])
    as e (id, payment, owner, application, body, at, mac)
  join sites s on s.application_id = e.application
  join payment_applications a on a.id = e.application
  order by e.id`;

function replaceOutbox(deliveries: DeliveriesService, waiting: ClaimedDelivery[]): void {
  const none = { deliveries: [], isFull: false, last: null };
  Object.assign(deliveries, {
    dispatchEvents: async ({ limit }: { limit: number }) => {
      const claimed = waiting.splice(0, limit);
      // As a statement does, it lets others have their turn.
      await delay(1);
      return { count: claimed.length, isMore: waiting.length > 0, claimed, waiting: [] };
    },
    claimFromAll: async () => none,
    claimFromNamed: async () => none,
    recordAttempt: async () => true,
  } satisfies Partial<Record<keyof DeliveriesService, unknown>>);
}

async function postAll(raw: RawClient, hooks: readonly Hook[]): Promise<void> {
  let next = 0;
  const work = async () => {
    for (let hook = hooks[next++]; hook; hook = hooks[next++]) await raw.post(hook);
  };
  await Promise.all(Array.from({ length: IN_FLIGHT }, work));
}

/** Nothing was sent twice; that everything came was waited for. */
async function demandRequests(sink: HookSink, events: number): Promise<void> {
  const { requests } = await sink.read();
  demand(requests === events, `${requests} requests for ${events} events`);
}

async function isAllRecorded(sql: Sql): Promise<boolean> {
  const [open] = await sql.query(`select 1 as one from webhook_deliveries where state = 'pending' limit 1`);
  return open === undefined;
}

/** Every event came once, and each has its delivery and its one attempt. */
async function demandEachOnce(sink: HookSink, sql: Sql, events: number): Promise<void> {
  const { requests, arrivals } = await sink.read();
  const [row] = await sql.query<{ succeeded: number; attempts: number }>(
    `select (select count(*)::int from webhook_deliveries where state = 'succeeded' and attempts = 1) as succeeded,
       (select count(*)::int from webhook_attempts where http_status = 200) as attempts`,
  );
  const found = [requests, arrivals.size, row?.succeeded, row?.attempts];
  demand(
    found.every((count) => count === events),
    `requests, events, deliveries, attempts: ${found.join(', ')} and not ${events}`,
  );
}
