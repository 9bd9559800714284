import pg from 'pg';
import { WebhookRetention } from '../src/webhooks/webhook-retention.service.js';
import { type Benchmark, demand, type Options, scaled } from './support/benchmark.js';
import { atTheEnd } from './support/cleanup.js';
import { BenchDatabase } from './support/database.js';
import { openGateway } from './support/gateway.js';
import { HOOK_ENV } from './support/hooks.js';

/** Deliveries are kept for so many days (docs/specification/webhooks.md#delivery-log). */
const DAYS = 30;
const DAY_MS = 86_400_000;
/** By one statement, as the dispatcher does under load. */
const WRITTEN_TOGETHER = 100;
const TABLES = ['webhook_deliveries', 'webhook_attempts'];

/**
 * The delivery log in its steady state: each day as many deliveries are written as become too old and are deleted. Shows
 * what a deleted delivery costs, and whether the tables stay as large as they were after the first 30 days.
 */
export const logRetention: Benchmark = { name: 'log-retention', run: measure };

interface Spent {
  cpuUs: number;
  walBytes: number;
}

async function measure(options: Options): Promise<Record<string, unknown>> {
  const perDay = scaled(5_000, options, 500);
  const days = scaled(20, options, 2);
  const database = await BenchDatabase.start();
  const url = await database.clone();
  // All of it is older than the log is kept; what is deleted decides how often retention is called.
  const log = new DeliveryLog(perDay, Date.now() - (2 * DAYS + days) * DAY_MS);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  atTheEnd(() => client.end());
  // A day passes in seconds, so autovacuum must not wait for its usual minute.
  await client.query(`alter system set autovacuum_naptime = '1s'`);
  await client.query('select pg_reload_conf()');
  await client.query("set session_replication_role = 'replica'; set synchronous_commit = off");
  for (let day = 0; day < DAYS; day++) await log.writeDay(client, day);
  const { get, close } = await openGateway(url, HOOK_ENV);
  atTheEnd(close);
  const retention = get(WebhookRetention);
  const full = await sizesOf(client);
  console.error(`   after ${DAYS} days: ${sentenceOf(full)}`);
  const written: Spent[] = [];
  const deleted: Spent[] = [];
  for (let day = DAYS; day < DAYS + days; day++) {
    written.push(await spent(database, client, () => log.writeDay(client, day)));
    deleted.push(
      await spent(database, client, async () => {
        for (let left = perDay; left > 0; left -= WebhookRetention.BATCH) await retention.runOnce();
      }),
    );
    console.error(`   day ${day + 1}: ${sentenceOf(await sizesOf(client))}`);
  }
  const { rows } = await client.query<{ left: number }>(
    'select count(*)::int as left from webhook_deliveries',
  );
  demand(rows[0]?.left === DAYS * perDay, `${rows[0]?.left} deliveries are left`);
  const after = await sizesOf(client);
  return {
    deliveries: DAYS * perDay,
    days,
    bytesPerDelivery: { full: perDelivery(full, DAYS * perDay), after: perDelivery(after, DAYS * perDay) },
    written: meanOf(written, perDay),
    deleted: meanOf(deleted, perDay),
  };
}

/** Deliveries, each of an event of its own and sent once; a payment has two. */
class DeliveryLog {
  constructor(
    private readonly perDay: number,
    private readonly firstMs: number,
  ) {}

  /** As a delivery is made, then ended with its attempt. Foreign keys and triggers are off. */
  async writeDay(client: pg.Client, day: number): Promise<void> {
    for (let n = 0; n < this.perDay; n += WRITTEN_TOGETHER) {
      const first = day * this.perDay + n;
      const last = first + Math.min(WRITTEN_TOGETHER, this.perDay - n) - 1;
      const values = [first, last, this.firstMs, DAY_MS / this.perDay];
      await client.query(PAYMENTS, values);
      await client.query(MAKE, values);
      await client.query(END);
    }
  }
}

/** Milliseconds of number n; $3 of the first, $4 between two. */
const MS = '($3::bigint + n * $4::float8)';
/** An id that begins with its time (RFC 9562, version 7). */
const idOf = (kind: string, ms: string, n: string) => `overlay(overlay(md5('${kind}' || ${n})
  placing lpad(to_hex((${ms})::bigint), 12, '0') || '7' from 1 for 13) placing '8' from 17 for 1)::uuid`;
const PAYMENT = idOf('payment', '$3::bigint + n / 2 * 2 * $4::float8', 'n / 2');
const APPLICATION = `md5('application' || n / 2 % 50)::uuid`;
const USER = `md5('user' || n / 2 % 50)::uuid::text`;
const NUMBERS = 'generate_series($1::bigint, $2::bigint) n';
const PAYMENTS = `
  insert into payments (id, user_id, application_id, reference, reference_label, currency_code, settlement_currency_code,
    amount, expires_at, created_at)
  select ${PAYMENT}, ${USER}, ${APPLICATION}, 'bench ' || n, 'Order', 'USD', 'USD', 1000, now(), to_timestamp(${MS} / 1000)
  from ${NUMBERS} where n % 2 = 0`;
const MAKE = `
  insert into webhook_deliveries
    (id, event_id, payment_id, application_id, user_id, seq, type, created_at, next_attempt_at)
  select ${idOf('delivery', MS, 'n')}, md5('event' || n)::uuid, ${PAYMENT}, ${APPLICATION}, ${USER}, 3 + n % 2,
    'payment.received', to_timestamp(${MS} / 1000), to_timestamp(${MS} / 1000)
  from ${NUMBERS}`;
const END = `
  with ended as (
    update webhook_deliveries set state = 'succeeded', attempts = 1, first_attempt_at = created_at, next_attempt_at = null,
      succeeded_at = created_at where state = 'pending' returning id, user_id, created_at)
  insert into webhook_attempts
    (delivery_id, user_id, number, url, http_status, response_body, duration_ms, created_at, connect_ms, first_byte_ms)
  select id, user_id, 1, 'https://shop.example/hooks/payments', 200, 'ok', 20, created_at, 5, 20 from ended`;

async function spent(
  database: BenchDatabase,
  client: pg.Client,
  work: () => Promise<unknown>,
): Promise<Spent> {
  const before = { cpuUs: database.cpu(), walBytes: await walOf(client) };
  await work();
  return { cpuUs: database.cpu() - before.cpuUs, walBytes: (await walOf(client)) - before.walBytes };
}

function meanOf(spent: readonly Spent[], perDay: number): Spent {
  const mean = (of: (one: Spent) => number) =>
    Math.round(spent.reduce((sum, one) => sum + of(one), 0) / spent.length / perDay);
  return { cpuUs: mean(({ cpuUs }) => cpuUs), walBytes: mean(({ walBytes }) => walBytes) };
}

async function walOf(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ bytes: number }>(
    `select (pg_current_wal_insert_lsn() - '0/0')::float8 as bytes`,
  );
  return rows[0]?.bytes ?? 0;
}

interface Sizes {
  name: string;
  table: number;
  indexes: number;
}

async function sizesOf(client: pg.Client): Promise<Sizes[]> {
  const { rows } = await client.query<Sizes>(
    `select name, pg_table_size(name::regclass)::float8 as table, pg_indexes_size(name::regclass)::float8 as indexes
     from unnest($1::text[]) name`,
    [TABLES],
  );
  return rows;
}

const megabytes = (bytes: number) => `${(bytes / 1e6).toFixed(1)} MB`;
const sentenceOf = (sizes: readonly Sizes[]) =>
  sizes
    .map(({ name, table, indexes }) => `${name} ${megabytes(table)}, indexes ${megabytes(indexes)}`)
    .join('; ');
const perDelivery = (sizes: readonly Sizes[], deliveries: number) =>
  Math.round(sizes.reduce((sum, { table, indexes }) => sum + table + indexes, 0) / deliveries);
