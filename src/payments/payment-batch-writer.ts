import { type EventType, isOptIn, OVERTAKEN } from '../applications/event-types.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import type { Queryable } from '../platform/database/sql.js';
import { bulkInsert, bulkUpdate, rowsOf } from '../platform/database/entity-sql.js';
import { PaymentEventEntity } from './payment-event.entity.js';
import { PaymentStatusHistoryEntity } from './payment-status-history.entity.js';
import { PaymentEntity } from './payment.entity.js';
import type { Payment } from './payment.pure.js';

// Every column that a move or a recomputation may change; a trigger checks each move once more.
const UPDATE = bulkUpdate(PaymentEntity, {
  key: ['id'],
  set: [
    'status',
    'statusSeq',
    'receivedAmount',
    'overpaidAmount',
    'underpaidAmount',
    'settledAmount',
    'refundedAmount',
    'foundAt',
    'receivedAt',
    'confirmedAt',
    'cancelledAt',
    'errorReason',
    'reviewReason',
    'acknowledgedAt',
    'underpayAcceptedAt',
    'underpayAcceptedAmount',
    'overpayAcceptedAt',
    'recheckAt',
  ],
  expected: ['statusSeq'],
});
const INSERT_HISTORY = bulkInsert(PaymentStatusHistoryEntity, [
  'paymentId',
  'seq',
  'fromStatus',
  'toStatus',
  'reason',
  'createdAt',
]);
const INSERT_EVENTS = bulkInsert(PaymentEventEntity, [
  'id',
  'paymentId',
  'userId',
  'applicationId',
  'seq',
  'type',
  'body',
  'createdAt',
]);
const GONE = rowsOf(PaymentEventEntity, ['paymentId', 'type'], { after: 1, as: 'gone' });
const LATER = rowsOf(PaymentEventEntity, ['paymentId', 'seq'], { after: 1, as: 'later' });
const LATER_DELIVERY = rowsOf(PaymentEventEntity, ['paymentId', 'seq'], { after: 2, as: 'later' });
// What was not delivered yet must not be announced any more (specification/payment-states.md#reorganizations).
const SUPERSEDE = `
  update payment_events e set superseded_at = $1 from ${GONE.from}
  where e.payment_id = gone.payment_id and e.type = gone.type and e.superseded_at is null`;
// A standard event is never held back by an opt-in one. Two statements: the first waits for a dispatcher that is just
// making a delivery of the event, the second then sees that delivery. A try that is under way may end.
const OVERTAKE_EVENTS = `
  update payment_events e set overtaken_at = $1 from ${LATER.from}
  where e.payment_id = later.payment_id and e.seq < later.seq and e.overtaken_at is null
    and e.type in ('payment.found', 'payment.expired', 'payment.cancelled')`;
const OVERTAKE_DELIVERIES = `
  with moment as materialized (select clock_timestamp() as now)
  update webhook_deliveries d set overtaken_at = $1,
    state = case when d.lease_until >= moment.now then d.state else 'superseded' end,
    next_attempt_at = case when d.lease_until >= moment.now then d.next_attempt_at end,
    last_error = case when d.lease_until >= moment.now then d.last_error else $2 end,
    lease_token = case when d.lease_until >= moment.now then d.lease_token end,
    lease_until = case when d.lease_until >= moment.now then d.lease_until end
  from moment
  where d.state in ('pending', 'blocked') and d.id = any(array(
    select o.id from webhook_deliveries o
    join ${LATER_DELIVERY.from} on o.payment_id = later.payment_id
    where o.seq < later.seq and o.state in ('pending', 'blocked')
      and o.type in ('payment.found', 'payment.expired', 'payment.cancelled')
    order by o.id for no key update of o))`;
type HistoryEntry = PaymentStatusHistoryEntity;
type EventEntry = Pick<
  PaymentEventEntity,
  'id' | 'paymentId' | 'userId' | 'applicationId' | 'seq' | 'type' | 'body' | 'createdAt'
>;
type ChangedPayment = Payment & Pick<PaymentEntity, 'recheckAt'> & { expected: { statusSeq: number } };

/**
 * The changes of one or very many locked payments, written together: a block range that pays a hundred payments costs
 * a handful of statements. Each step of a payment keeps its own history entry and event, in order.
 */
export class PaymentBatchWriter {
  /** An UPDATE changes a row only once, so the n-th step of every payment is in the n-th list. */
  private readonly steps: ChangedPayment[][] = [];
  private readonly stepsOf = new Map<string, number>();
  private readonly history: HistoryEntry[] = [];
  private readonly superseded: Pick<PaymentEventEntity, 'paymentId' | 'seq' | 'type' | 'createdAt'>[] = [];
  private readonly events: EventEntry[] = [];

  /** The payment as it is now. @param previousSeq the `statusSeq` that its row has before */
  payment(payment: Readonly<Payment>, previousSeq: number, recheckAt: Date | null): void {
    const step = this.stepsOf.get(payment.id) ?? 0;
    this.stepsOf.set(payment.id, step + 1);
    // A copy: the next step changes the payment.
    (this.steps[step] ??= []).push({ ...payment, recheckAt, expected: { statusSeq: previousSeq } });
  }

  move(entry: HistoryEntry): void {
    this.history.push(entry);
  }

  /** Takes back the earlier events of a type, which are no longer true; a later one may be announced again. */
  supersede({ id: paymentId, statusSeq: seq }: Readonly<Payment>, type: EventType, createdAt: Date): void {
    this.superseded.push({ paymentId, seq, type, createdAt });
  }

  event(entry: EventEntry): void {
    this.events.push(entry);
  }

  /** @throws Error when the row of a payment has another `statusSeq` than expected: it was not locked */
  async flush(tx: Queryable): Promise<void> {
    const updates = this.steps.map((rows) => tx.query(UPDATE.text, UPDATE.values(rows)));
    if (this.steps.length > 0) failpoint('payment.moved');
    const [updated] = await Promise.all([Promise.all(updates), ...this.auditStatements(tx)]);
    if (updated.some((rows, i) => rows.length !== this.steps[i]?.length))
      throw new Error('a payment moved that should have been locked');
    if (this.events.length > 0) failpoint('payment.announced');
  }

  /** History and events of the moves. */
  private auditStatements(tx: Queryable): Promise<unknown>[] {
    const { history, superseded, events } = this;
    const statements: Promise<unknown>[] = [];
    if (history.length > 0) statements.push(tx.query(INSERT_HISTORY.text, INSERT_HISTORY.values(history)));
    const [first] = superseded;
    if (first) statements.push(tx.query(SUPERSEDE, [first.createdAt, ...GONE.values(superseded)]));
    if (events.length > 0) statements.push(tx.query(INSERT_EVENTS.text, INSERT_EVENTS.values(events)));
    const later = [
      ...events.filter(({ type }) => !isOptIn(type)),
      ...superseded.filter(({ type }) => isOptIn(type)),
    ];
    const [overtaker] = later;
    if (overtaker) {
      const at = overtaker.createdAt;
      statements.push(tx.query(OVERTAKE_EVENTS, [at, ...LATER.values(later)]));
      statements.push(tx.query(OVERTAKE_DELIVERIES, [at, OVERTAKEN, ...LATER_DELIVERY.values(later)]));
    }
    return statements;
  }
}
