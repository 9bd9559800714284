import type pg from 'pg';
import { sha256 } from '../../src/platform/kernel/hmac.pure.js';
import type { RecordedDelivery, KeyedCall, StoredEvent } from './oracle.js';
import type { Made, RetryingMerchant } from './retrying-merchant.js';

/** Events and deliveries of one deployment, by SQL. */
export async function readOutbox(
  db: pg.Pool,
): Promise<{ events: StoredEvent[]; deliveries: RecordedDelivery[] }> {
  const events = await db.query<Omit<StoredEvent, 'bodyHash'> & { body: string }>(
    `select id, payment_id as "paymentId", seq, type, body, superseded_at is not null as "isSuperseded",
       overtaken_at is not null as "isOvertaken"
     from payment_events`,
  );
  const deliveries = await db.query<RecordedDelivery>(
    `select event_id as "eventId", state, attempts, lease_token is not null as "isLeased",
       (select count(*)::int from webhook_attempts a where a.delivery_id = d.id) as recorded
     from webhook_deliveries d`,
  );
  return {
    events: events.rows.map(({ body, ...event }) => ({ ...event, bodyHash: sha256(body).toString('hex') })),
    deliveries: deliveries.rows,
  };
}

/** What every keyed call has made, and what its key answers now. */
export async function readCalls(
  db: pg.Pool,
  merchant: RetryingMerchant,
): Promise<{ calls: KeyedCall[]; stuck: string[] }> {
  const payments = await db.query<{ id: string; reference: string }>('select id, reference from payments');
  const refunds = await db.query<{ id: string; paymentId: string }>(
    'select id, payment_id as "paymentId" from refunds',
  );
  const unanswered = await db.query<{ key: string }>('select key from idempotency_keys where status is null');
  const madeBy = ({ what, path, body }: Made): string[] =>
    what === 'payment'
      ? payments.rows
          .filter((row) => row.reference === (body as { reference: string }).reference)
          .map(({ id }) => id)
      : refunds.rows.filter((row) => path.includes(row.paymentId)).map(({ id }) => id);
  const calls = await mapInBatches(merchant.made, async (made) => {
    return { ...made, made: madeBy(made), repeated: await merchant.repeat(made) };
  });
  return { calls, stuck: unanswered.rows.map(({ key }) => key) };
}

/** Payments and refunds whose request got no response. */
export async function countMade(db: pg.Pool): Promise<number> {
  const { rows } = await db.query<{ count: number }>(
    'select ((select count(*) from payments) + (select count(*) from refunds))::int as count',
  );
  return rows[0]?.count ?? 0;
}

/** A few at a time, in order. */
export async function mapInBatches<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = [];
  for (let i = 0; i < items.length; i += BATCH)
    results.push(...(await Promise.all(items.slice(i, i + BATCH).map(work))));
  return results;
}

const BATCH = 16;
