import { type EventType, isOptIn, OVERTAKEN } from '../applications/event-types.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import type { Queryable } from '../platform/database/sql.js';
import type { PaymentStatus } from './payment-status.pure.js';
import type { Payment } from './payment.pure.js';

// Every column that a move or a recomputation may change; the guard trigger judges each move once more.
const UPDATE = `
  update payments p set status = row.status, status_seq = row.status_seq, received_amount = row.received_amount,
    overpaid_amount = row.overpaid_amount, underpaid_amount = row.underpaid_amount, settled_amount = row.settled_amount,
    found_at = row.found_at, received_at = row.received_at, confirmed_at = row.confirmed_at,
    cancelled_at = row.cancelled_at, error_reason = row.error_reason, review_reason = row.review_reason,
    acknowledged_at = row.acknowledged_at, underpay_accepted_at = row.underpay_accepted_at,
    overpay_accepted_at = row.overpay_accepted_at, recheck_at = row.recheck_at, refunded_amount = row.refunded_amount,
    underpay_accepted_amount = row.underpay_accepted_amount
  from unnest($1::uuid[], $2::integer[], $3::text[], $4::integer[], $5::numeric[], $6::numeric[], $7::numeric[],
    $8::numeric[], $9::timestamptz[], $10::timestamptz[], $11::timestamptz[], $12::timestamptz[], $13::text[],
    $14::text[], $15::timestamptz[], $16::timestamptz[], $17::timestamptz[], $18::timestamptz[], $19::numeric[],
    $20::numeric[])
    as row (id, previous_seq, status, status_seq, received_amount, overpaid_amount, underpaid_amount, settled_amount,
      found_at, received_at, confirmed_at, cancelled_at, error_reason, review_reason, acknowledged_at,
      underpay_accepted_at, overpay_accepted_at, recheck_at, refunded_amount, underpay_accepted_amount)
  where p.id = row.id and p.status_seq = row.previous_seq
  returning p.id`;
const INSERT_HISTORY = `
  insert into payment_status_history (payment_id, seq, from_status, to_status, reason, created_at)
  select * from unnest($1::uuid[], $2::integer[], $3::text[], $4::text[], $5::text[], $6::timestamptz[])`;
// What was not delivered yet must not be announced any more (specification/payment-states.md#reorganizations).
const SUPERSEDE = `
  update payment_events e set superseded_at = $3
  from unnest($1::uuid[], $2::text[]) as gone (payment_id, type)
  where e.payment_id = gone.payment_id and e.type = gone.type and e.superseded_at is null`;
// A standard event is never held back by an opt-in one. Two statements: the first waits for a dispatcher that is just
// making a delivery of the event, the second then sees that delivery. A try that is under way may end.
const OVERTAKE_EVENTS = `
  update payment_events e set overtaken_at = $3
  from unnest($1::uuid[], $2::integer[]) as later (payment_id, seq)
  where e.payment_id = later.payment_id and e.seq < later.seq and e.overtaken_at is null
    and e.type in ('payment.found', 'payment.expired', 'payment.cancelled')`;
const OVERTAKE_DELIVERIES = `
  with moment as materialized (select clock_timestamp() as now)
  update webhook_deliveries d set overtaken_at = $3,
    state = case when d.lease_until >= moment.now then d.state else 'superseded' end,
    next_attempt_at = case when d.lease_until >= moment.now then d.next_attempt_at end,
    last_error = case when d.lease_until >= moment.now then d.last_error else $4 end,
    lease_token = case when d.lease_until >= moment.now then d.lease_token end,
    lease_until = case when d.lease_until >= moment.now then d.lease_until end
  from moment
  where d.state in ('pending', 'blocked') and d.id = any(array(
    select o.id from webhook_deliveries o
    join unnest($1::uuid[], $2::integer[]) as later (payment_id, seq) on o.payment_id = later.payment_id
    where o.seq < later.seq and o.state in ('pending', 'blocked')
      and o.type in ('payment.found', 'payment.expired', 'payment.cancelled')
    order by o.id for no key update of o))`;
const INSERT_EVENTS = `
  insert into payment_events (id, payment_id, user_id, application_id, seq, type, body, created_at)
  select * from unnest($1::uuid[], $2::uuid[], $3::text[], $4::uuid[], $5::integer[], $6::text[], $7::text[],
    $8::timestamptz[])`;

/** One step of a payment, as the history keeps it. */
export interface HistoryEntry {
  paymentId: string;
  seq: number;
  from: PaymentStatus;
  to: PaymentStatus;
  reason: string;
  at: Date;
}

export interface EventEntry {
  id: string;
  paymentId: string;
  userId: string;
  applicationId: string;
  seq: number;
  type: EventType;
  body: string;
  at: Date;
}

/**
 * What the moves of one or very many locked payments leave behind, written together: a block range that pays a
 * hundred payments costs a handful of statements. Steps of one payment stay single steps, one after the other.
 */
export class PaymentBatchWriter {
  /** The n-th row of each payment stands in the n-th round: one statement cannot change a row twice. */
  private readonly rounds: (readonly unknown[])[][] = [];
  private readonly written = new Map<string, number>();
  private readonly history: HistoryEntry[] = [];
  private readonly superseded: { paymentId: string; seq: number; type: EventType; at: Date }[] = [];
  private readonly events: EventEntry[] = [];

  /** The payment as it is now. @param previousSeq what its row holds before */
  payment(payment: Readonly<Payment>, previousSeq: number, recheckAt: Date | null): void {
    const round = this.written.get(payment.id) ?? 0;
    this.written.set(payment.id, round + 1);
    (this.rounds[round] ??= []).push([
      payment.id,
      previousSeq,
      payment.status,
      payment.statusSeq,
      payment.receivedAmount,
      payment.overpaidAmount,
      payment.underpaidAmount,
      payment.settledAmount,
      payment.foundAt,
      payment.receivedAt,
      payment.confirmedAt,
      payment.cancelledAt,
      payment.errorReason,
      payment.reviewReason,
      payment.acknowledgedAt,
      payment.underpayAcceptedAt,
      payment.overpayAcceptedAt,
      recheckAt,
      payment.refundedAmount,
      payment.underpayAcceptedAmount,
    ]);
  }

  step(entry: HistoryEntry): void {
    this.history.push(entry);
  }

  /** Takes back the earlier events of a type, which are no longer true; what follows may announce it anew. */
  supersede({ id: paymentId, statusSeq: seq }: Readonly<Payment>, type: EventType, at: Date): void {
    this.superseded.push({ paymentId, seq, type, at });
  }

  event(entry: EventEntry): void {
    this.events.push(entry);
  }

  /** @throws Error when a payment's row was not the expected one: it was not locked */
  async flush(tx: Queryable): Promise<void> {
    const updates = this.rounds.map((rows) => tx.query(UPDATE, columns(rows)));
    if (this.rounds.length > 0) failpoint('payment.moved');
    const [updated] = await Promise.all([Promise.all(updates), ...this.stories(tx)]);
    if (updated.some((rows, i) => rows.length !== this.rounds[i]?.length))
      throw new Error('a payment moved that should have been locked');
    if (this.events.length > 0) failpoint('payment.announced');
  }

  /** The statements that tell of the moves. */
  private stories(tx: Queryable): Promise<unknown>[] {
    const { history, superseded, events } = this;
    const statements: Promise<unknown>[] = [];
    if (history.length > 0) {
      const rows = history.map((row) => [row.paymentId, row.seq, row.from, row.to, row.reason, row.at]);
      statements.push(tx.query(INSERT_HISTORY, columns(rows)));
    }
    const [first] = superseded;
    if (first) {
      const rows = superseded.map(({ paymentId, type }) => [paymentId, type]);
      statements.push(tx.query(SUPERSEDE, [...columns(rows), first.at]));
    }
    if (events.length > 0) {
      const rows = events.map((row) => [
        row.id,
        row.paymentId,
        row.userId,
        row.applicationId,
        row.seq,
        row.type,
        row.body,
        row.at,
      ]);
      statements.push(tx.query(INSERT_EVENTS, columns(rows)));
    }
    const later = [
      ...events.filter(({ type }) => !isOptIn(type)),
      ...superseded.filter(({ type }) => isOptIn(type)),
    ];
    const [overtaker] = later;
    if (overtaker) {
      const rows = columns(later.map(({ paymentId, seq }) => [paymentId, seq]));
      statements.push(tx.query(OVERTAKE_EVENTS, [...rows, overtaker.at]));
      statements.push(tx.query(OVERTAKE_DELIVERIES, [...rows, overtaker.at, OVERTAKEN]));
    }
    return statements;
  }
}

/** Rows as one list a column. */
function columns(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, i) => rows.map((row) => row[i]));
}
