import type { EventType } from '../applications/event-types.pure.js';
import type { Queryable } from '../platform/database/sql.js';
import { columnsOf } from '../platform/database/entity-sql.js';
import { PaymentTransferEntity } from './payment-transfer.entity.js';
import { PaymentEntity } from './payment.entity.js';
import type { PaymentAggregate } from './payment.pure.js';
import { QuoteEntity } from './quote.entity.js';

const PAYMENT = columnsOf(PaymentEntity, 'p');
const QUOTE = columnsOf(QuoteEntity, 'q');
const TRANSFER = columnsOf(PaymentTransferEntity, 't');

/** Columns of the site beside those of the payment. */
interface AggregateRow {
  allowOverpay: boolean;
  allowUnderpay: boolean;
  hasCallback: boolean;
  siteEvents: EventType[];
  siteConfirmations: Record<string, number>;
}

// The settings are read in the same statement as the payment, so that a move sees them as they are committed.
const SELECT_AGGREGATE = `
  select ${PAYMENT.list}, s.allow_overpay as "allowOverpay", s.allow_underpay as "allowUnderpay",
    coalesce(p.callback_url, s.callback_url) is not null as "hasCallback", s.events as "siteEvents",
    s.confirmations as "siteConfirmations"
  from payments p join sites s on s.application_id = p.application_id`;
const FIND_ONE = `${SELECT_AGGREGATE} where p.id = $1`;
const FIND_OWNED = `${SELECT_AGGREGATE} where p.id = $1 and p.user_id = $2 and ($3::uuid is null or p.application_id = $3)`;
const LIST = `${SELECT_AGGREGATE} where $1::uuid is null or p.id > $1 order by p.id limit $2`;
// "no key update": inserting a transfer takes a key share lock on the payment, which must not deadlock with this.
const LOCK = `${SELECT_AGGREGATE} where p.id = any($1::uuid[]) order by p.id for no key update of p`;

const QUOTES = `
  select ${QUOTE.list} from quotes q where q.payment_id = any($1::uuid[]) order by q.locked_at, q.id`;
// Confirmations count from the newest block that was applied, never from what a node merely claims
// (specification/chains.md#confirmations).
const TRANSFERS = `
  select ${TRANSFER.list}, case when t.block_height is null then 0
    else greatest(coalesce(c.height, t.block_height) - t.block_height + 1, 1) end::integer as confirmations
  from payment_transfers t left join chain_cursors c on c.chain = t.chain
  where t.payment_id = any($1::uuid[]) order by t.seen_at, t.id`;

/** The state of one payment, or null. */
export async function findAggregate(db: Queryable, paymentId: string): Promise<PaymentAggregate | null> {
  return (await assemble(db, await db.query<AggregateRow>(FIND_ONE, [paymentId])))[0] ?? null;
}

/** The states that follow a payment in the order of their ids. @param after null: from the first */
export async function listAggregates(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<PaymentAggregate[]> {
  return assemble(db, await db.query<AggregateRow>(LIST, [after, limit]));
}

/** The state of an owner's payment (of one application, for a client token), or null. */
export async function findOwnedAggregate(
  db: Queryable,
  paymentId: string,
  userId: string,
  applicationId: string | null,
): Promise<PaymentAggregate | null> {
  return (
    (await assemble(db, await db.query<AggregateRow>(FIND_OWNED, [paymentId, userId, applicationId])))[0] ??
    null
  );
}

/** Locks payments in the order of their ids, so that two writers never wait for each other. */
export async function lockForUpdate(
  tx: Queryable,
  paymentIds: readonly string[],
): Promise<PaymentAggregate[]> {
  if (paymentIds.length === 0) return [];
  // In this order: what was committed while the lock was waited for is read after it.
  const [rows, quotes, transfers] = await Promise.all([
    tx.query<AggregateRow>(LOCK, [paymentIds]),
    tx.query<object>(QUOTES, [paymentIds]),
    tx.query<TransferRow>(TRANSFERS, [paymentIds]),
  ]);
  const states = rows.map(toAggregate);
  setQuotes(states, quotes);
  setTransfers(states, transfers);
  return states;
}

/** Reads the facts of a locked payment again, after some were written. */
export async function refreshFacts(tx: Queryable, states: readonly PaymentAggregate[]): Promise<void> {
  const ids = [states.map(({ payment }) => payment.id)];
  const [quotes, transfers] = await Promise.all([
    tx.query<object>(QUOTES, ids),
    tx.query<TransferRow>(TRANSFERS, ids),
  ]);
  setQuotes(states, quotes);
  setTransfers(states, transfers);
}

/**
 * As {@link refreshFacts}, after transfers were written and no quotes.
 * @param writes statements that write them, in their order: they are sent together with the reading one
 */
export async function refreshTransfers(
  tx: Queryable,
  states: readonly PaymentAggregate[],
  ...writes: Promise<unknown>[]
): Promise<void> {
  const read = tx.query<TransferRow>(TRANSFERS, [states.map(({ payment }) => payment.id)]);
  const [transfers] = await Promise.all([read, ...writes]);
  setTransfers(states, transfers);
}

interface TransferRow {
  confirmations: number;
}

function setQuotes(states: readonly PaymentAggregate[], rows: readonly object[]): void {
  const byId = new Map(states.map((state) => [state.payment.id, state]));
  for (const state of states) state.quotes = [];
  for (const row of rows) {
    const quote = QUOTE.toEntity(row);
    byId.get(quote.paymentId)?.quotes.push(quote);
  }
}

function setTransfers(states: readonly PaymentAggregate[], rows: readonly TransferRow[]): void {
  const byId = new Map(states.map((state) => [state.payment.id, state]));
  for (const state of states) state.transfers = [];
  for (const row of rows) {
    const transfer = TRANSFER.toEntity(row);
    byId.get(transfer.paymentId)?.transfers.push({ ...transfer, confirmations: row.confirmations });
  }
}

async function assemble(db: Queryable, rows: AggregateRow[]): Promise<PaymentAggregate[]> {
  const states = rows.map(toAggregate);
  if (states.length > 0) await refreshFacts(db, states);
  return states;
}

function toAggregate(row: AggregateRow): PaymentAggregate {
  return {
    payment: PAYMENT.toEntity(row),
    quotes: [],
    transfers: [],
    site: {
      allowOverpay: row.allowOverpay,
      allowUnderpay: row.allowUnderpay,
      hasCallback: row.hasCallback,
      events: row.siteEvents,
      confirmations: row.siteConfirmations,
    },
  };
}
