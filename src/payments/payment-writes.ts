import { failpoint } from '../common/failpoints.js';
import type { Queryable } from '../common/sql.js';
import type { PaymentStatus } from './payment-status.js';
import type { Payment } from './payment.js';

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
// What was not delivered yet must not be announced any more (api.md H).
const SUPERSEDE_RECEIVED = `
  update payment_events set superseded_at = $2
  where payment_id = any($1::uuid[]) and type = 'payment.received' and superseded_at is null`;
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
  type: string;
  body: string;
  at: Date;
}

/**
 * What the moves of one or very many locked payments leave behind, written together: a block range that pays a
 * hundred payments costs a handful of statements. Steps of one payment stay single steps, one after the other.
 */
export class PaymentWrites {
  /** The n-th row of each payment stands in the n-th round: one statement cannot change a row twice. */
  private readonly rounds: (readonly unknown[])[][] = [];
  private readonly written = new Map<string, number>();
  private readonly history: HistoryEntry[] = [];
  private readonly superseded: { paymentId: string; at: Date }[] = [];
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

  /** Takes back the announcements that the payment was received; what follows may announce it anew. */
  supersedeReceived(paymentId: string, at: Date): void {
    this.superseded.push({ paymentId, at });
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
      const ids = superseded.map(({ paymentId }) => paymentId);
      statements.push(tx.query(SUPERSEDE_RECEIVED, [ids, first.at]));
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
    return statements;
  }
}

/** Rows as one list a column. */
function columns(rows: readonly (readonly unknown[])[]): unknown[][] {
  return (rows[0] ?? []).map((_, i) => rows.map((row) => row[i]));
}
