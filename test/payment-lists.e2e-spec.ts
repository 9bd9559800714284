/**
 * @inOrder Payments are made in random order first, and counted in every other order then.
 */
import { randomUUID } from 'node:crypto';
import { PaymentCountRepository } from '../src/payments/payment-count.repository.js';
import { type PaymentFilter, PaymentListRepository } from '../src/payments/payment-list.repository.js';
import { PAYMENT_SORTS, type PaymentSort } from '../src/payments/payment-requests.contract.js';
import { PAYMENT_STATUSES } from '../src/payments/payment-status.pure.js';
import { Sql } from '../src/platform/database/sql.js';
import { seededRandom, seedOf } from './support/seeded-random.js';
import { startTestGateway, type TestGateway } from './support/test-gateway.js';

const USER = 'a user with lists';
const SEED = seedOf('PAYMENT_LISTS_SEED');
const CURRENCIES = ['USD', 'EUR', 'JPY'];
const WRITERS = 6;
const TURNS = 15;
/** Of months, days and hours that payments lie in, so that each has none, one or many. */
const BEGINNING = Date.UTC(2029, 10, 29, 22);
const HOUR = 3_600_000;
const HOURS = [0, 1, 2, 3, 25, 26, 49, 700, 701, 1_500, 9_000];
/** Columns that a move needs. */
const MOVES = [
  ['OPEN', 'FOUND', `found_at = created_at + interval '1 second'`],
  ['OPEN', 'CANCELLED', 'cancelled_at = created_at'],
  ['OPEN', 'ERROR', `error_reason = 'a reason'`],
  ['FOUND', 'OPEN', 'found_at = null'],
  ['FOUND', 'UNDERPAID', 'found_at = found_at'],
  ['FOUND', 'RECEIVED', 'found_at = found_at'],
  ['UNDERPAID', 'RECEIVED', 'found_at = found_at'],
  ['RECEIVED', 'CONFIRMED', `confirmed_at = found_at + interval '1 second'`],
] as const;

/** The definition: everything is filtered, sorted and counted, and the pages before are skipped. */
const ORDERS: Record<PaymentSort, string> = {
  date: 'created_at, id',
  '-date': 'created_at desc, id desc',
  amount: 'amount, id',
  '-amount': 'amount desc, id desc',
  status: 'status, created_at, id',
  '-status': 'status desc, created_at desc, id desc',
};
const MATCHING = `
  from payments p where p.user_id = $1
    and ($2::uuid is null or application_id = $2) and ($3::text[] is null or status = any($3))
    and ($4::text is null or currency_code = $4) and ($5::timestamptz is null or created_at >= $5)
    and ($6::timestamptz is null or created_at <= $6) and ($7::text is null or reference = $7)
    and ($8::text is null or reference like $8 || '%')
    and ($9::boolean is null or $9 = exists (select from payment_transfers t where t.payment_id = p.id and not t.is_matched))`;

const random = seededRandom(SEED);
const oneOf = <T>(values: readonly T[]): T => {
  const value = values[random(values.length)];
  if (value === undefined) throw new Error('nothing to choose from');
  return value;
};
const maybe = <T>(value: () => T): T | null => (random(2) === 0 ? value() : null);
const someTime = () => new Date(BEGINNING + oneOf(HOURS) * HOUR + random(5) * 1_000);

let gateway: TestGateway;
let lists: PaymentListRepository;
let counts: PaymentCountRepository;
const applications = [randomUUID(), randomUUID(), randomUUID()];

beforeAll(async () => {
  gateway = await startTestGateway();
  lists = gateway.get(PaymentListRepository);
  counts = gateway.get(PaymentCountRepository);
  for (const id of applications)
    await gateway.sql.query(
      `insert into payment_applications (id, user_id, name, client_id, sealed_secret, created_at)
       values ($1::uuid, $2, 'Shop', replace($1::uuid::text, '-', ''), 'none', now())`,
      [id, USER],
    );
});
afterAll(() => gateway.close());

async function create(): Promise<void> {
  const times = Array.from({ length: 1 + random(4) }, someTime);
  await gateway.sql.transaction(async (tx) => {
    await tx.query(
      `with made as (
         insert into payments (id, user_id, application_id, reference, reference_label, currency_code,
           settlement_currency_code, amount, expires_at, created_at)
         select gen_random_uuid(), $1::text, $2::uuid, $3::text, 'Order', $4::text, $4::text, $5::numeric, at, at from unnest($6::timestamptz[]) at
         returning id, created_at)
       insert into payment_status_history (payment_id, user_id, seq, to_status, reason, created_at)
       select id, $1, 1, 'OPEN', 'created', created_at from made`,
      [USER, oneOf(applications), `ref-${random(30)}`, oneOf(CURRENCIES), 1 + random(20), times],
    );
  });
}

async function move(): Promise<void> {
  const [from, to, changes] = oneOf(MOVES);
  await gateway.sql.transaction(async (tx) => {
    await tx.query(
      `with moved as (
         update payments set status = $2::text, status_seq = status_seq + 1, ${changes} where id = (
           select id from payments where user_id = $3 and status = $1::text order by random() limit 1 for update skip locked)
         returning id, status_seq)
       insert into payment_status_history (payment_id, user_id, seq, from_status, to_status, reason, created_at)
       select id, $3, status_seq, $1::text, $2::text, 'moved', now() from moved`,
      [from, to, USER],
    );
  });
}

/** Transfers in a coin that was not requested, to some payments. */
async function plantUnmatched(): Promise<void> {
  await gateway.sql.transaction(async (tx) => {
    await tx.query('set local session_replication_role = replica');
    await tx.query(
      `insert into payment_transfers (id, payment_id, user_id, deposit_address_id, chain, tx_hash, ordinal, asset,
         currency_code, asset_decimals, amount, state, confirmations_required, is_matched, seen_at)
       select gen_random_uuid(), id, user_id, gen_random_uuid(), 'bsc', id::text, n::text, 'native', 'BNB', 18, 1, 'pending',
         1, false, now()
       from (select * from payments where user_id = $1 order by random() limit 20) p, generate_series(1, 2) n`,
      [USER],
    );
  });
}

const someFilter = (): PaymentFilter => ({
  userId: USER,
  applicationId: maybe(() => oneOf(applications)),
  statuses: maybe(() => Array.from({ length: 1 + random(3) }, () => oneOf(PAYMENT_STATUSES))),
  reference: random(5) === 0 ? `ref-${random(30)}` : null,
  currencyCode: maybe(() => oneOf(CURRENCIES)),
  dateFrom: random(3) === 0 ? someTime() : null,
  dateTo: random(3) === 0 ? someTime() : null,
  search: random(5) === 0 ? `ref-${random(4)}` : null,
  hasUnmatchedFunds: random(3) === 0 ? random(2) === 0 : null,
});

/** Reads a page twice: as the gateway does, and by the definition. */
async function compare(filter: PaymentFilter, sort: PaymentSort): Promise<number> {
  const sql = gateway.get(Sql);
  const values = [
    filter.userId,
    filter.applicationId,
    filter.statuses,
    filter.currencyCode,
    filter.dateFrom,
    filter.dateTo,
    filter.reference,
    filter.search,
    filter.hasUnmatchedFunds,
  ];
  const [counted] = await sql.query<{ total: number }>(`select count(*)::int as total ${MATCHING}`, values);
  const total = counted?.total ?? 0;
  const limit = 1 + random(8);
  const last = Math.max(Math.ceil(total / limit) - 1, 0) * limit;
  const offset = oneOf([0, last, last + limit, random(total + 1)]);
  const rows = await sql.query<{ id: string }>(
    `select id ${MATCHING} order by ${ORDERS[sort]} limit ${limit} offset ${offset}`,
    values,
  );
  const listed = await lists.list(filter, sort, { limit, offset });
  const found = typeof listed === 'string' ? listed : [listed.total, listed.items.map(({ id }) => id)];
  expect({ filter, sort, limit, offset, found }).toEqual({
    filter,
    sort,
    limit,
    offset,
    found: [total, rows.map(({ id }) => id)],
  });
  return rows.length;
}

describe('totals and pages of payments', () => {
  it('equal count(*) and OFFSET in every snapshot while payments are created, moved and counted', async () => {
    for (let i = 0; i < 20; i++) await create();
    await plantUnmatched();
    let isWriting = true;
    let compared = 0;
    // On a slow machine the writers go on until enough was compared while they wrote.
    const writer = async () => {
      for (let turn = 0; isWriting && (turn < TURNS || compared <= 10); turn++)
        await (random(3) === 0 ? create() : move());
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
        // A list by status takes a snapshot of its own.
        const sort = oneOf(['date', '-date', 'amount', '-amount'] as const);
        await gateway.get(Sql).snapshot(() => compare(someFilter(), sort));
        compared++;
      }
    };
    await Promise.all([writers(), counter(), reader(), reader()]).finally(() => {
      isWriting = false;
    });
    expect(compared).toBeGreaterThan(10);
  });

  it('equal them in every order', async () => {
    let rows = 0;
    for (let i = 0; i < 10; i++)
      for (const sort of PAYMENT_SORTS) {
        rows += await compare(someFilter(), sort);
        rows += await compare(
          { ...someFilter(), hasUnmatchedFunds: null, reference: null, search: null },
          sort,
        );
      }
    expect(rows).toBeGreaterThan(50);
  });

  it('leave no change and no empty count behind once everything is added', async () => {
    while ((await counts.add(1_000)) > 0) continue;
    const [row] = await gateway.sql.query(
      `select (select count(*)::int from payment_count_changes) as changes,
         (select count(*)::int from payment_counts where total = 0) as empty,
         (select sum(total)::int from payment_counts where span = 'day' and user_id = $1)
           - (select count(*)::int from payments where user_id = $1) as difference`,
      [USER],
    );
    expect(row).toEqual({ changes: 0, empty: 0, difference: 0 });
    for (const sort of PAYMENT_SORTS) await compare(someFilter(), sort);
  });
});
