import pg from 'pg';

/** Rows of tables that grow with the history, copied from a real row of each. */
interface Copies {
  /** Copies; n counts them from 1. */
  count: number;
  /** Columns that differ; the others by {@link expressionOf}. */
  columns: Record<string, string>;
}

/** Between two payments. */
const STEP = `interval '20 minutes'`;
/** Of the merchant; as many are kept of an application. */
const OWN_TESTS = 1_000;
const OTHERS = 50;
/** One of ten payments is of another merchant, one of a hundred of the merchant's second application. */
const IS_OTHER = 'n % 10 = 0';
const IS_SECOND = 'n % 100 = 1';
/** Two payments of one reference. */
const IS_TWICE = 'n % 1000 in (4, 5)';
const other = (salt: string) => `md5('${salt}' || n / 10 % ${OTHERS})::uuid`;
/** Begins with the time of its row, like ids of the gateway (RFC 9562, version 7). */
const id = (salt: string) => `overlay(overlay(md5('${salt}' || n)
  placing lpad(to_hex((extract(epoch from now() - n * ${STEP}) * 1000)::bigint), 12, '0') || '7' from 1 for 13)
  placing '8' from 17 for 1)::uuid`;
const hex = (salt: string) => `md5('${salt}' || n) || left(md5('${salt}' || n || 'x'), 8)`;
/** Of payments CONFIRMED and UNDERPAID. */
const paid = (value: string) => `case when n % 20 < 14 then ${value} end`;

/** @param count payments */
function copiesOf(count: number): Record<string, Copies> {
  return {
    payments: {
      count,
      columns: {
        id: id('payment'),
        reference: `'GROWN-' || case when ${IS_TWICE} then n - n % 2 else n end`,
        shares_reference: `case when ${IS_TWICE} then true end`,
        overpaid_amount: `case when n % 500 in (1, 2) then 5 end`,
        reference_label: `'Bag ' || n`,
        amount: 'n % 9973 + 1',
        currency_code: `case when n % 5 = 0 then 'EUR' else 'USD' end`,
        status: `case when n % 20 < 12 then 'CONFIRMED' when n % 20 < 14 then 'UNDERPAID' when n % 20 < 19 then 'OPEN'
          else 'CANCELLED' end`,
        cancelled_at: `case when n % 20 = 19 then t.created_at - n * ${STEP} end`,
        found_at: paid(`t.found_at - n * ${STEP}`),
        received_at: paid(`t.received_at - n * ${STEP}`),
        confirmed_at: paid(`t.confirmed_at - n * ${STEP}`),
        paid_late_at: `case when n % 250 = 3 then t.found_at - n * ${STEP} end`,
        expiry_check_at: `'infinity'`,
        review_reason: `case when n % 500 = 1 then 'overpaid' end`,
      },
    },
    payment_status_history: { count, columns: {} },
    payment_events: {
      count,
      columns: { id: id('event'), position: `1000000 + ${count} - n` },
    },
    payment_transfers: {
      count,
      columns: {
        id: id('transfer'),
        tx_hash: `'0x' || ${hex('hash')}`,
        deposit_address_id: id('address'),
        quote_id: `case when n % 500 <> 7 then ${id('quote')} end`,
        is_matched: 'n % 500 <> 7',
        credited_amount: 'case when n % 500 <> 7 then t.credited_amount end',
        // Below those of the test chain, which has few blocks.
        block_height: '-n',
      },
    },
    quotes: { count, columns: { id: id('quote') } },
    deposit_addresses: {
      count,
      columns: {
        id: id('address'),
        key: `decode(${hex('key')}, 'hex')`,
        address: `'0x' || ${hex('key')}`,
        derivation_index: '1000000 + n',
      },
    },
    webhook_deliveries: {
      count,
      columns: {
        id: id('delivery'),
        event_id: id('event'),
        // 30 days are kept.
        created_at: `t.created_at - n * interval '29 days' / ${count}`,
        state: `case when n % 100 = 0 then 'pending' when n % 10 = 3 then 'exhausted' else 'succeeded' end`,
        next_attempt_at: `case when n % 100 = 0 then t.created_at + interval '1 day' end`,
        succeeded_at: `case when n % 100 <> 0 and n % 10 <> 3 then t.succeeded_at - n * ${STEP} end`,
      },
    },
    webhook_attempts: { count, columns: { delivery_id: id('delivery') } },
    refunds: {
      count: count / 5,
      columns: {
        id: id('refund'),
        status: `case when n % 200 = 1 then t.status else 'CANCELLED' end`,
      },
    },
    refund_history: { count: count / 5, columns: { refund_id: id('refund') } },
    reported_transactions: {
      count: count / 10,
      columns: {
        id: id('report'),
        tx_hash: hex('report'),
        state: `case when n % 100 = 2 then 'UNLISTED_TOKEN' else t.state end`,
        token: `case when n % 100 = 2 then '0x' || ${hex('token')} end`,
        token_amount: `case when n % 100 = 2 then 5 end`,
      },
    },
    audit_log: {
      count: count / 5,
      columns: { seq: '1000000 + n', hash: `sha256(n::text::bytea)`, target_id: `md5('target' || n)` },
    },
    idempotency_keys: {
      count: count / 5,
      columns: { key: `'key ' || n`, path: 't.path', expires_at: `now() + interval '1 day'` },
    },
    oidc_payloads: {
      count: count / 10,
      columns: { id: hex('payload'), expires_at: `now() + interval '1 day'`, uid: 'null' },
    },
    payment_applications: {
      count: OTHERS,
      columns: {
        id: `md5('application' || n - 1)::uuid`,
        client_id: `md5('client' || n)`,
        user_id: `'other ' || n - 1`,
      },
    },
    sites: {
      count: OTHERS,
      columns: {
        id: `md5('site' || n)::uuid`,
        application_id: `md5('application' || n - 1)::uuid`,
        user_id: `'other ' || n - 1`,
      },
    },
  };
}

interface Column {
  name: string;
  type: string;
}

/** Owner and application of the copy, the payment of the same number, and everything as much earlier as that one is. */
function expressionOf({ name, type }: Column, second: string): string {
  const column = `t.${pg.escapeIdentifier(name)}`;
  if (name === 'user_id' && type === 'text')
    return `case when ${IS_OTHER} then 'other ' || n / 10 % ${OTHERS} else ${column} end`;
  if (name === 'application_id')
    return `case when ${IS_OTHER} then ${other('application')} when ${IS_SECOND} then ${pg.escapeLiteral(second)}::uuid else ${column} end`;
  if (name === 'payment_id') return id('payment');
  return type === 'timestamp with time zone' ? `${column} - n * ${STEP}` : column;
}

const COLUMNS = `
  select attname as name, format_type(atttypid, atttypmod) as type from pg_attribute
  where attrelid = $1::regclass and attnum > 0 and not attisdropped order by attnum`;
/** They are made afterwards, which is faster. */
const INDEXES = `
  select indexrelid::regclass::text as name, pg_get_indexdef(indexrelid) as definition from pg_index
  where indrelid = $1::regclass and not exists (select from pg_constraint where conindid = indexrelid)`;
const COUNTS = `
  insert into payment_counts (user_id, span, starts_at, application_id, status, currency_code, total)
  select user_id, span, date_trunc(span, created_at, 'UTC'), application_id, status, currency_code, count(*)
  from payments cross join (values ('month'), ('day'), ('hour')) spans (span)
  where reference like 'GROWN-%' group by 1, 2, 3, 4, 5, 6`;
const DELIVERY_COUNTS = `
  delete from webhook_delivery_counts;
  delete from webhook_delivery_count_changes;
  insert into webhook_delivery_counts (user_id, application_id, hour, type, status, total)
  select user_id, application_id, date_trunc('hour', created_at, 'UTC'), type,
    case when state <> 'pending' then upper(state) when attempts = 0 then 'PENDING' else 'FAILED' end, count(*)
  from webhook_deliveries where payment_id is not null group by 1, 2, 3, 4, 5`;
/** Tests are rows of the same tables. $1 how many. */
const TESTS = `
  with event as (
    insert into payment_events (id, user_id, application_id, type, body, created_at, dispatched_at, test_payment_id)
    select ${id('test-event')}, case when n < ${OWN_TESTS} then t.user_id else 'other ' || n / 10 % ${OTHERS} end,
      case when n < ${OWN_TESTS} then t.application_id else ${other('application')} end, t.type, t.body,
      t.created_at - n * ${STEP}, t.dispatched_at - n * ${STEP}, ${id('test-payment')}
    from (select * from payment_events where test_payment_id is not null limit 1) t cross join generate_series(1, $1::int) n
    returning *
  )
  insert into webhook_deliveries (id, event_id, user_id, application_id, type, state, attempts, created_at, test_payment_id)
  select test_payment_id, id, user_id, application_id, type, 'exhausted', 1, created_at, test_payment_id from event`;
const BEGUN = `
  update event_feed set last_position = greatest(last_position, (select max(position) from payment_events));
  update audit_head set seq = (select max(seq) from audit_log)`;

/** Tables that {@link fillGrown} fills. */
export const GROWN_TABLES: ReadonlySet<string> = new Set([
  ...Object.keys(copiesOf(0)).filter((table) => !['payment_applications', 'sites'].includes(table)),
  'payment_counts',
  'webhook_delivery_counts',
  'failed_attempts',
]);

/**
 * Payments of four years with everything that belongs to them: of the merchant of the one payment nine tenths, of which a
 * hundredth is of a second application, the rest of fifty others. Each table has a row before.
 */
export async function fillGrown(
  databaseUrl: string,
  {
    payments,
    paymentId,
    secondApplicationId,
  }: { payments: number; paymentId: string; secondApplicationId: string },
): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    // Neither triggers nor foreign keys: many rows at once, in any order.
    await client.query(
      `set local session_replication_role = replica; set local maintenance_work_mem = '256MB'`,
    );
    for (const [table, { count, columns }] of Object.entries(copiesOf(payments))) {
      const { rows } = await client.query<Column>(COLUMNS, [table]);
      const names = rows.map(({ name }) => pg.escapeIdentifier(name)).join(', ');
      const values = rows
        .map((row) => columns[row.name] ?? expressionOf(row, secondApplicationId))
        .join(', ');
      const ofPayment = rows.some(({ name }) => name === 'payment_id')
        ? 'payment_id'
        : table === 'payments'
          ? 'id'
          : null;
      const base = `select * from ${table} ${ofPayment ? `order by (${ofPayment} = ${pg.escapeLiteral(paymentId)}) is true desc` : ''} limit 1`;
      const { rows: indexes } = await client.query<{ name: string; definition: string }>(INDEXES, [table]);
      for (const { name } of indexes) await client.query(`drop index ${name}`);
      const { rowCount } = await client.query(
        `insert into ${table} (${names}) select ${values} from (${base}) t cross join generate_series(1, ${count}) n`,
      );
      if (rowCount !== count) throw new Error(`${table} has no row to copy`);
      for (const { definition } of indexes) await client.query(definition);
    }
    const { rowCount: tests } = await client.query(TESTS, [payments / 10]);
    if (tests !== payments / 10) throw new Error('there is no test to copy');
    await client.query(COUNTS);
    await client.query(DELIVERY_COUNTS);
    await client.query(
      `insert into failed_attempts select 'sign-in', 'subject ' || n, now() + interval '1 hour' from generate_series(1, ${payments / 10}) n`,
    );
    await client.query(BEGUN);
    await client.query('commit');
    await client.query('vacuum analyze');
  } finally {
    await client.end();
  }
}
