import type { EventType } from '../applications/event-types.pure.js';
import type { EventPlace, NewEvent } from './payment-event.repository.js';
import type { HistoryRow } from './payment-status-history.repository.js';
import type { Payment, PaymentAggregate, Transfer } from './payment.pure.js';
import type { ChangedPayment } from './payment.repository.js';
import type { Settlement } from './quotes/settlement.pure.js';
import { allotParts } from './quotes/parts.pure.js';
import { misjudged } from './transfers/dust.pure.js';

/** An event that a move has made untrue. */
export type SupersededEvent = EventPlace & Pick<NewEvent, 'type' | 'createdAt'>;

/** A transfer with what follows from all transfers of its payment. */
export type JudgedTransfer = Pick<Transfer, 'id' | 'isDust' | 'creditedAmount'>;

/**
 * The changes of one or many locked payments, to be written together by {@link PaymentBatchWriter}: blocks that pay a
 * hundred payments cost a handful of statements. Each step of a payment keeps its own history entry and event, in order.
 */
export class PaymentBatch {
  /** An UPDATE changes a row only once, so the n-th step of every payment is in the n-th list. */
  readonly steps: ChangedPayment[][] = [];
  readonly history: HistoryRow[] = [];
  readonly superseded: SupersededEvent[] = [];
  readonly events: NewEvent[] = [];
  readonly judged: JudgedTransfer[] = [];
  /** Payments that are not authentic: nothing of them is written but that a person has to look. */
  readonly distrusted: Pick<Payment, 'id' | 'acknowledgedAt'>[] = [];
  private readonly stepsOf = new Map<string, number>();
  private readonly lastStepOf = new Map<string, ChangedPayment>();

  /** The payment as it is now. @param previousSeq the `statusSeq` that its row has before */
  addStep(payment: Readonly<Payment>, previousSeq: number, recheckAt: Date | null): void {
    const step = this.stepsOf.get(payment.id) ?? 0;
    this.stepsOf.set(payment.id, step + 1);
    // A copy, because the next step changes the payment.
    const changed = { ...payment, recheckAt, expected: { statusSeq: previousSeq } };
    (this.steps[step] ??= []).push(changed);
    this.lastStepOf.set(payment.id, changed);
  }

  /** What the events of a payment have told now, written with its last step. */
  noteTold({ id, told }: Readonly<Payment>): void {
    const step = this.lastStepOf.get(id);
    if (!step) throw new Error(`payment ${id} has no step`);
    step.told = told;
  }

  hasEventOf(paymentId: string): boolean {
    return this.events.some((event) => event.paymentId === paymentId);
  }

  /** Sets right which transfers of a payment are dust, and their parts of it; both follow from all of them. */
  judge({ payment, transfers, quotes }: PaymentAggregate, funds: Settlement): void {
    const wrong = misjudged(transfers, funds);
    for (const transfer of wrong) transfer.isDust = !transfer.isDust;
    const parts = allotParts(payment.amount, transfers, quotes);
    for (const [transfer, creditedAmount] of parts) transfer.creditedAmount = creditedAmount;
    this.judged.push(...new Set([...wrong, ...parts.keys()]));
  }

  distrust(payment: Readonly<Payment>): void {
    this.distrusted.push(payment);
  }

  addHistory(entry: HistoryRow): void {
    this.history.push(entry);
  }

  addEvent(event: NewEvent): void {
    this.events.push(event);
  }

  /** Withdraws the earlier events of a type, which are no longer true; the type may be announced again later. */
  supersede({ id: paymentId, statusSeq: seq }: Readonly<Payment>, type: EventType, createdAt: Date): void {
    this.superseded.push({ paymentId, seq, place: null, type, createdAt });
  }
}
