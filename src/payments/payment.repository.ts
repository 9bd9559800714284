import type { EventType } from '../applications/event-types.pure.js';
import type { Queryable } from '../platform/database/sql.js';
import {
  type PaymentRow,
  type QuoteRow,
  toPayment,
  toQuote,
  toTransfer,
  type TransferRow,
} from './payment-rows.pure.js';
import type { PaymentAggregate } from './payment.pure.js';

type StateRow = PaymentRow & {
  allow_overpay: boolean;
  allow_underpay: boolean;
  has_callback: boolean;
  events: EventType[];
  wanted_confirmations: Record<string, number>;
};

// The settings are read in the same statement as the payment, so that a move sees them as they are committed.
const SELECT_STATE = `
  select p.*, s.allow_overpay, s.allow_underpay, coalesce(p.callback_url, s.callback_url) is not null as has_callback,
    s.events, s.confirmations as wanted_confirmations
  from payments p join sites s on s.application_id = p.application_id`;
const FIND_ONE = `${SELECT_STATE} where p.id = $1`;
const FIND_OWNED = `${SELECT_STATE} where p.id = $1 and p.user_id = $2 and ($3::uuid is null or p.application_id = $3)`;
const LIST = `${SELECT_STATE} where $1::uuid is null or p.id > $1 order by p.id limit $2`;
// "no key update": inserting a transfer takes a key share lock on the payment, which must not deadlock with this.
const LOCK = `${SELECT_STATE} where p.id = any($1::uuid[]) order by p.id for no key update of p`;

const QUOTES = `select * from quotes where payment_id = any($1::uuid[]) order by locked_at, id`;
// Confirmations count from the newest block that was applied, never from what a node merely claims
// (specification/chains.md#confirmations).
const TRANSFERS = `
  select t.*, case when t.block_height is null then 0
    else greatest(coalesce(c.height, t.block_height) - t.block_height + 1, 1) end as confirmations
  from payment_transfers t left join chain_cursors c on c.chain = t.chain
  where t.payment_id = any($1::uuid[]) order by t.seen_at, t.id`;

/** The state of one payment, or null. */
export async function findAggregate(db: Queryable, paymentId: string): Promise<PaymentAggregate | null> {
  return (await assemble(db, await db.query<StateRow>(FIND_ONE, [paymentId])))[0] ?? null;
}

/** The states that follow a payment in the order of their ids. @param after null: from the first */
export async function listAggregates(
  db: Queryable,
  after: string | null,
  limit: number,
): Promise<PaymentAggregate[]> {
  return assemble(db, await db.query<StateRow>(LIST, [after, limit]));
}

/** The state of an owner's payment (of one application, for a client token), or null. */
export async function findOwnedAggregate(
  db: Queryable,
  paymentId: string,
  userId: string,
  applicationId: string | null,
): Promise<PaymentAggregate | null> {
  return (
    (await assemble(db, await db.query<StateRow>(FIND_OWNED, [paymentId, userId, applicationId])))[0] ?? null
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
    tx.query<StateRow>(LOCK, [paymentIds]),
    tx.query<QuoteRow>(QUOTES, [paymentIds]),
    tx.query<TransferRow>(TRANSFERS, [paymentIds]),
  ]);
  const states = rows.map(toState);
  setQuotes(states, quotes);
  setTransfers(states, transfers);
  return states;
}

/** Reads the facts of a locked payment again, after some were written. */
export async function refreshFacts(tx: Queryable, states: readonly PaymentAggregate[]): Promise<void> {
  const ids = [states.map(({ payment }) => payment.id)];
  const [quotes, transfers] = await Promise.all([
    tx.query<QuoteRow>(QUOTES, ids),
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

function setQuotes(states: readonly PaymentAggregate[], rows: readonly QuoteRow[]): void {
  const byId = new Map(states.map((state) => [state.payment.id, state]));
  for (const state of states) state.quotes = [];
  for (const row of rows) byId.get(row.payment_id)?.quotes.push(toQuote(row));
}

function setTransfers(states: readonly PaymentAggregate[], rows: readonly TransferRow[]): void {
  const byId = new Map(states.map((state) => [state.payment.id, state]));
  for (const state of states) state.transfers = [];
  for (const row of rows) byId.get(row.payment_id)?.transfers.push(toTransfer(row));
}

async function assemble(db: Queryable, rows: StateRow[]): Promise<PaymentAggregate[]> {
  const states = rows.map(toState);
  if (states.length > 0) await refreshFacts(db, states);
  return states;
}

function toState(row: StateRow): PaymentAggregate {
  return {
    payment: toPayment(row),
    quotes: [],
    transfers: [],
    site: {
      allowOverpay: row.allow_overpay,
      allowUnderpay: row.allow_underpay,
      hasCallback: row.has_callback,
      events: row.events,
      confirmations: row.wanted_confirmations,
    },
  };
}
