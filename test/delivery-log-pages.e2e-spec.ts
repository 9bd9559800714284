/**
 * @inOrder Rows are added and counted, until nothing is left to add.
 */
import { randomUUID } from 'node:crypto';
import type { EventType } from '../src/applications/event-types.pure.js';
import { Sql } from '../src/platform/database/sql.js';
import { newId } from '../src/platform/kernel/ids.pure.js';
import { DeliveryCountRepository } from '../src/webhooks/delivery-count.repository.js';
import type { LogFilter } from '../src/webhooks/delivery-pages.repository.js';
import { DeliveriesService } from '../src/webhooks/deliveries.service.js';
import { KEPT_TESTS } from '../src/webhooks/delivery.repository.js';
import type { DeliveryStatus } from '../src/webhooks/webhook-delivery.contract.js';
import { WebhookLogRepository } from '../src/webhooks/webhook-log.repository.js';
import { insertPayment } from './support/payment-rows.js';
import { seededRandom, seedOf } from './support/seeded-random.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const USER = 'a user with deliveries';
const SEED = seedOf('DELIVERY_LOG_SEED');
const TYPES: EventType[] = ['payment.received', 'payment.completed'];
const STATUSES: DeliveryStatus[] = ['PENDING', 'FAILED', 'SUCCEEDED', 'EXHAUSTED'];
/** Hours that deliveries lie in, so that each has none, one or many. */
const BEGINNING = Date.UTC(2029, 10, 29, 22);
const HOURS = [0, 1, 2, 25, 600];
const WRITERS = 4;
const TURNS = 40;
/** Columns that a delivery changes with its state. */
const MOVES = [
  `state = 'succeeded', attempts = attempts + 1, next_attempt_at = null, lease_token = null`,
  `state = 'exhausted', attempts = attempts + 1, next_attempt_at = null, lease_token = null`,
  `state = 'pending', attempts = attempts + 1, next_attempt_at = now(), lease_token = null`,
  // While it is claimed, a delivery is not in the counts.
  'lease_token = gen_random_uuid(), lease_until = now()',
  // Neither before nor afterwards.
  `overtaken_at = now()`,
];
/** The definition: everything is filtered, sorted and counted, and the pages before are skipped. */
const MATCHING = `
  from (select *, case when state <> 'pending' then upper(state) when attempts = 0 then 'PENDING' else 'FAILED' end
    as status from webhook_deliveries) d
  where d.user_id = $1 and d.application_id = $2 and ($3::text is null or d.type = $3)
    and ($4::text is null or d.status = $4)`;

const random = seededRandom(SEED);
const oneOf = <T>(values: readonly T[]): T => {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
};
const maybe = <T>(value: () => T): T | null => (random(2) === 0 ? value() : null);

let gateway: TestGateway;
let log: WebhookLogRepository;
let counts: DeliveryCountRepository;
let paymentId: string;
let seq = 1;
const applications = [randomUUID(), randomUUID()];

beforeAll(async () => {
  gateway = await startTestGateway();
  log = gateway.get(WebhookLogRepository);
  counts = gateway.get(DeliveryCountRepository);
  for (const id of applications)
    await gateway.sql.query(
      `insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
       values ($1::uuid, $2, 'Shop', replace($1::uuid::text, '-', ''), 'none', now())`,
      [id, USER],
    );
  paymentId = await insertPayment(gateway, { userId: USER, applicationId: applications[0] ?? '' });
});
afterAll(() => gateway.close());

async function create(): Promise<void> {
  const application = oneOf(applications);
  const rows = Array.from({ length: 1 + random(6) }, () => ({
    id: randomUUID(),
    event: randomUUID(),
    seq: ++seq,
    type: oneOf(TYPES),
    at: new Date(BEGINNING + oneOf(HOURS) * 3_600_000 + random(5) * 1_000),
  }));
  await gateway.sql.transaction(async (tx) => {
    const values = [JSON.stringify(rows), paymentId, USER, application];
    // Without what must be true of the events themselves.
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at, dispatched_at)
       select r.event, $2, $3, $4, r.seq, r.type, '{}', r.at, r.at
       from json_to_recordset($1) r (event uuid, seq integer, type text, at timestamptz)`,
      values,
    );
    await tx.query('set local session_replication_role = origin');
    await tx.query(
      `insert into webhook_deliveries (id, event_id, payment_id, application_id, user_id, seq, type, created_at, next_attempt_at, lease_token)
       select r.id, r.event, $2, $4, $3, r.seq, r.type, r.at, r.at, case when r.seq % 2 = 0 then r.id end
       from json_to_recordset($1) r (id uuid, event uuid, seq integer, type text, at timestamptz)`,
      values,
    );
  });
}

const pick = (limit: number) => `id = any(array(
  select id from webhook_deliveries where user_id = $1 order by random() limit ${limit} for update skip locked))`;
const move = () =>
  gateway.sql.query(`update webhook_deliveries set ${oneOf(MOVES)} where ${pick(1 + random(5))}`, [USER]);
const remove = () => gateway.sql.query(`delete from webhook_deliveries where ${pick(1)}`, [USER]);

const someFilter = (): LogFilter => ({
  userId: USER,
  applicationId: oneOf(applications),
  paymentId: random(5) === 0 ? paymentId : null,
  event: maybe(() => oneOf(TYPES)),
  status: maybe(() => oneOf(STATUSES)),
});

/** Reads a page twice: as the gateway does, and by the definition. Returns the number of its rows. */
async function compare(filter: LogFilter): Promise<number> {
  const sql = gateway.get(Sql);
  const values = [filter.userId, filter.applicationId, filter.event, filter.status];
  const [counted] = await sql.query<{ total: number }>(`select count(*)::int as total ${MATCHING}`, values);
  const total = counted?.total ?? 0;
  const limit = 1 + random(8);
  const last = Math.max(Math.ceil(total / limit) - 1, 0) * limit;
  const offset = oneOf([0, last, last + limit, random(total + 1)]);
  const rows = await sql.query<{ id: string }>(
    `select id ${MATCHING} order by created_at desc, id desc limit ${limit} offset ${offset}`,
    values,
  );
  const listed = await log.list(false, filter, { limit, offset });
  const found = [listed.total, listed.items.map(({ id }) => id)];
  const expected = [total, rows.map(({ id }) => id)];
  expect({ filter, limit, offset, found }).toEqual({ filter, limit, offset, found: expected });
  return rows.length;
}

describe('totals and pages of the delivery log', () => {
  it('equal count(*) and OFFSET in every snapshot while deliveries are made, finished, deleted and counted', async () => {
    for (let i = 0; i < 20; i++) await create();
    let isWriting = true;
    let compared = 0;
    const writer = async () => {
      for (let turn = 0; isWriting && (turn < TURNS || compared <= 10); turn++)
        await oneOf([create, move, move, remove])();
    };
    const writers = async () => {
      await Promise.all(Array.from({ length: WRITERS }, writer));
      isWriting = false;
    };
    const counter = async () => {
      while (isWriting) await counts.add(1 + random(20));
    };
    const reader = async () => {
      while (isWriting) {
        await gateway.get(Sql).snapshot(() => compare(someFilter()));
        compared++;
      }
    };
    await Promise.all([writers(), counter(), reader(), reader()]).finally(() => {
      isWriting = false;
    });
    expect(compared).toBeGreaterThan(10);
  });

  it('leave no change and no empty count behind once everything is added', async () => {
    while ((await counts.add(1_000)) > 0) continue;
    const [row] = await gateway.sql.query(
      `select (select count(*)::int from webhook_delivery_count_changes) as changes,
         (select count(*)::int from webhook_delivery_counts where total = 0) as empty,
         (select sum(total)::int from webhook_delivery_counts where user_id = $1)
           - (select count(*)::int from webhook_deliveries where user_id = $1 and lease_token is null and payment_id is not null) as difference`,
      [USER],
    );
    expect(row).toEqual({ changes: 0, empty: 0, difference: 0 });
    let rows = 0;
    for (let i = 0; i < 40; i++) rows += await compare(someFilter());
    expect(rows).toBeGreaterThan(50);
  });
});

describe('test events', () => {
  it('beyond the newest thousand of an application are deleted with the next one, unless they still wait', async () => {
    const [applicationId = '', another = ''] = applications;
    const plant = (application: string, count: number) =>
      gateway.sql.query(
        `with event as (
           insert into payment_events (id, application_id, user_id, test_payment_id, type, body, created_at, dispatched_at)
           select gen_random_uuid(), $1, $2, gen_random_uuid(), 'payment.received', '{}', at, at
           from generate_series(1, $4) n, lateral (select $3::timestamptz + n * interval '1 second' as at) t
           returning *
         )
         insert into webhook_deliveries
           (id, event_id, application_id, user_id, test_payment_id, type, created_at, state, next_attempt_at)
         select gen_random_uuid(), id, application_id, user_id, test_payment_id, type, created_at,
           case row_number() over (order by created_at) when 1 then 'pending' else 'skipped' end,
           case row_number() over (order by created_at) when 1 then '-infinity'::timestamptz end
         from event`,
        [application, USER, new Date(BEGINNING), count],
      );
    await plant(applicationId, KEPT_TESTS + 5);
    await plant(another, 3);
    const now = new Date(BEGINNING + 24 * 3_600_000);
    await gateway.get(DeliveriesService).createTest(newId(now), {
      id: randomUUID(),
      applicationId,
      userId: USER,
      testPaymentId: randomUUID(),
      type: 'payment.received',
      body: '{}',
      createdAt: now,
    });
    const rows = await gateway.sql.query(
      `select application_id as application, state, count(*)::int as count from webhook_deliveries
       where user_id = $1 and test_payment_id is not null group by 1, 2 order by 3 desc, 2`,
      [USER],
    );
    expect(rows).toEqual([
      { application: applicationId, state: 'skipped', count: KEPT_TESTS - 1 },
      { application: applicationId, state: 'pending', count: 2 },
      { application: another, state: 'skipped', count: 2 },
      { application: another, state: 'pending', count: 1 },
    ]);
    const events = 'select count(*)::int as count from payment_events where test_payment_id is not null';
    expect(await gateway.sql.query(events)).toEqual([{ count: KEPT_TESTS + 4 }]);
  });
});
