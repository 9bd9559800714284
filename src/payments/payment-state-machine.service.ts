import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { type EventType, isOptIn } from '../applications/event-types.pure.js';
import { deterministicId } from '../platform/kernel/ids.pure.js';
import { getCurrency } from '../money/currencies.js';
import { parseRate, pricedAmountFor } from '../money/money.js';
import { type Change, changeToTell, readTold, sumsOf, type Told, writeTold } from './payment-change.pure.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import { requireAuthentic } from './audit/payment-integrity.pure.js';
import { reviewReason } from './payment-review.pure.js';
import {
  canMove,
  type Decisions,
  eventOnEntry,
  type Move,
  nextMove,
  type PaymentStatus,
  refundMove,
} from './payment-status.pure.js';
import { PaymentBatch } from './payment-batch.js';
import { PaymentBatchWriter } from './payment-batch-writer.js';
import { fundsOf } from './transfers/payment-funds.pure.js';
import { paidLateAt } from './too-much/paid-late.pure.js';
import { placeOf } from './event-place.pure.js';
import type { PaymentAggregate } from './payment.pure.js';
import { awaitsRate } from './transfers/transfer-state.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

/**
 * The only writer of a payment's status. It recomputes a locked payment from its facts, moves it one legal step at a time,
 * and writes a history entry and an event with each step, all in the caller's transaction.
 */
@Injectable()
export class PaymentStateMachine {
  private readonly logger = new Logger('PaymentStateMachine');

  constructor(
    private readonly clock: Clock,
    private readonly presenter: PaymentPresenter,
    private readonly writer: PaymentBatchWriter,
  ) {}

  /**
   * Moves a payment to the status that follows from its facts. It must be locked, and its facts must be fresh. One that is
   * not authentic is only marked.
   */
  async settle(state: PaymentAggregate): Promise<void> {
    await this.settleAll([state]);
  }

  /** {@link settle} for several payments, which are written together. */
  async settleAll(states: readonly PaymentAggregate[]): Promise<void> {
    const batch = new PaymentBatch();
    for (const state of states) this.settleInto(batch, state);
    await this.writer.write(batch);
  }

  /** A move that does not follow from transfers: cancelled by the merchant, or a permanent processing error. */
  async close(state: PaymentAggregate, move: Move): Promise<void> {
    requireAuthentic(state);
    const batch = new PaymentBatch();
    const told = readTold(state);
    const funds = fundsOf(state);
    this.move(batch, state, funds, move);
    this.tell(batch, state, funds, told);
    await this.writer.write(batch);
  }

  /**
   * After a refund was completed on chain: moves a payment that is now refunded in full, and confirms one that was held
   * until its excess was refunded (specification/refunds.md#effect-on-the-payment).
   * @param refunded sum of the completed refunds
   * @param record the completed refund as the event shows it
   */
  async refund(state: PaymentAggregate, refunded: bigint, record: object): Promise<void> {
    requireAuthentic(state);
    const told = readTold(state);
    const funds = this.recompute(state);
    state.payment.refundedAmount = refunded;
    const move = refundMove(state.payment.status, funds, refunded);
    const batch = new PaymentBatch();
    if (!move) this.settleInto(batch, state);
    else {
      this.move(batch, state, funds, move, record);
      this.tell(batch, state, funds, told);
    }
    await this.writer.write(batch);
  }

  /**
   * Writes payment.expired, which follows no status change (specification/events.md#optional-events). The payments must
   * be locked and must have expired unpaid.
   */
  async announceExpiry(states: readonly PaymentAggregate[]): Promise<void> {
    states.forEach(requireAuthentic);
    const batch = new PaymentBatch();
    const now = this.clock.now();
    for (const state of states) this.addEvent(batch, state, 'payment.expired', now, null);
    await this.writer.write(batch);
  }

  private settleInto(batch: PaymentBatch, state: PaymentAggregate): void {
    if (!state.isAuthentic) return this.distrust(batch, state);
    const told = readTold(state);
    const funds = this.recompute(state);
    const { payment } = state;
    batch.judge(state, funds);
    let move = nextMove(payment.status, funds, this.decisionsOf(state));
    if (!move) this.write(batch, state, funds, payment.statusSeq);
    let isTakenBack = false;
    while (move) {
      this.move(batch, state, funds, move);
      isTakenBack ||= move.to === 'OPEN' || move.reason === 'reorg';
      move = nextMove(payment.status, funds, this.decisionsOf(state));
    }
    this.tell(batch, state, funds, told, isTakenBack);
  }

  private distrust(batch: PaymentBatch, { payment }: PaymentAggregate): void {
    if (payment.reviewReason !== 'integrity')
      this.logger.error(
        { paymentId: payment.id, status: payment.status },
        'payment stopped: its records were changed outside of the gateway',
      );
    batch.distrust(payment);
  }

  /**
   * Writes payment.updated where the sums have changed and no other event of this transaction says so
   * (specification/events.md#changes). What an application does not listen to counts as told: listing the event does
   * not announce the past.
   */
  private tell(
    batch: PaymentBatch,
    state: PaymentAggregate,
    funds: Settlement,
    told: Told,
    isTakenBack = false,
  ): void {
    const { payment, site } = state;
    const sums = sumsOf(state);
    const isSilent = batch.hasEventOf(payment.id) || !site.events.includes('payment.updated');
    const change = isSilent ? null : changeToTell(told, sums, { least: funds.leastAmount, isTakenBack });
    if (change) this.addUpdate(batch, state, told.updates + 1, change);
    if (!isSilent && !change && payment.told !== null) return;
    payment.told = writeTold(change || isSilent ? { updates: told.updates + (change ? 1 : 0), sums } : told);
    batch.noteTold(payment);
  }

  private recompute(state: PaymentAggregate): Settlement {
    const funds = fundsOf(state);
    const { receivedAmount, overpaidAmount, underpaidAmount } = funds;
    Object.assign(state.payment, { receivedAmount, overpaidAmount, underpaidAmount });
    return funds;
  }

  /** The settings and decisions that the status depends on. */
  decisionsOf(state: PaymentAggregate): Decisions {
    const { payment, site } = state;
    return {
      allowUnderpay: site.allowUnderpay,
      allowOverpay: site.allowOverpay,
      isQuoteEnded: lastQuoteEnd(state) <= this.clock.now().getTime(),
      acceptedAmount: payment.underpayAcceptedAmount,
      isOverpayAccepted: payment.overpayAcceptedAt !== null,
      refundedAmount: payment.refundedAmount,
      isAcknowledged: payment.acknowledgedAt !== null || !site.hasCallback,
    };
  }

  private move(
    batch: PaymentBatch,
    state: PaymentAggregate,
    funds: Settlement,
    { to, reason }: Move,
    refund: object | null = null,
  ): void {
    const { payment } = state;
    const from = payment.status;
    if (!canMove(from, to)) throw new Error(`illegal move of payment ${payment.id}: ${from} to ${to}`);
    const previousSeq = payment.statusSeq;
    const now = this.clock.now();
    payment.status = to;
    payment.statusSeq += 1;
    this.stamp(state, from, { to, reason }, now);
    this.write(batch, state, funds, previousSeq);
    batch.addHistory({
      paymentId: payment.id,
      userId: payment.userId,
      seq: payment.statusSeq,
      fromStatus: from,
      toStatus: to,
      reason,
      createdAt: now,
    });
    if (from === 'RECEIVED' && reason === 'reorg') batch.supersede(payment, 'payment.received', now);
    if (to === 'OPEN') batch.supersede(payment, 'payment.found', now);
    this.announce(batch, state, funds, now, refund);
    this.logger.log({ paymentId: payment.id, from, to, reason }, 'payment moved');
  }

  /** Sets or clears the times and amounts that belong to a move. */
  private stamp(state: PaymentAggregate, from: PaymentStatus, { to, reason }: Move, now: Date): void {
    const { payment } = state;
    if (to === 'OPEN') payment.foundAt = null;
    if (to === 'FOUND') payment.foundAt ??= later(now, payment.createdAt);
    if (to === 'RECEIVED') {
      payment.receivedAt = now;
      payment.acknowledgedAt = null;
      payment.settledAmount = settledAmount(state);
      payment.paidLateAt = paidLateAt(state);
      // Also what the tolerance has made full, which may be changed later.
      if (payment.receivedAmount < payment.amount) {
        payment.underpayAcceptedAt ??= now;
        payment.underpayAcceptedAmount = payment.receivedAmount;
      }
    }
    if (from === 'RECEIVED' && reason === 'reorg') {
      Object.assign(payment, { receivedAt: null, settledAmount: null, acknowledgedAt: null });
      Object.assign(payment, {
        underpayAcceptedAt: null,
        underpayAcceptedAmount: null,
        overpayAcceptedAt: null,
        keptAmount: null,
        paidLateAt: null,
        lateKeptAt: null,
      });
      payment.reviewReason = 'reorg';
    }
    if (to === 'CONFIRMED') payment.confirmedAt = later(now, payment.foundAt);
    if (to === 'CANCELLED') payment.cancelledAt = now;
    if (to === 'ERROR') payment.errorReason = reason;
  }

  /** Adds the event of the new status, if the application receives it. */
  private announce(
    batch: PaymentBatch,
    state: PaymentAggregate,
    funds: Settlement,
    now: Date,
    refund: object | null,
  ): void {
    const { payment } = state;
    const isUnderpaidAnnounced = !state.site.allowUnderpay || !funds.isLeastShareMet;
    const type = eventOnEntry(payment.status, isUnderpaidAnnounced);
    if (type && (!isOptIn(type) || state.site.events.includes(type)))
      this.addEvent(batch, state, type, now, refund);
  }

  /**
   * Adds an event for the newest history entry. The body is rendered once and sent as stored
   * (specification/events.md#body).
   */
  private addEvent(
    batch: PaymentBatch,
    state: PaymentAggregate,
    type: EventType,
    now: Date,
    refund: object | null,
  ): void {
    const { payment } = state;
    const { id: paymentId, userId, applicationId, statusSeq: seq } = payment;
    const id = deterministicId(`event|${paymentId}|${seq}`);
    const body = this.presenter.event({ id, type, createdAt: now }, state, { ...(refund && { refund }) });
    const event = { id, paymentId, userId, applicationId, seq, place: null, type, body, createdAt: now };
    batch.addEvent(event);
  }

  /** Adds a payment.updated. @param number among those of the payment, from 1 */
  private addUpdate(batch: PaymentBatch, state: PaymentAggregate, number: number, change: Change): void {
    const { id: paymentId, userId, applicationId, statusSeq } = state.payment;
    const type = 'payment.updated';
    const place = placeOf({ seq: statusSeq, place: null }) + number;
    const id = deterministicId(`event|${paymentId}|${place}|${type}`);
    const createdAt = this.clock.now();
    const body = this.presenter.event({ id, type, createdAt }, state, {
      change: this.presenter.change(state, change),
    });
    batch.addEvent({ id, paymentId, userId, applicationId, seq: null, place, type, body, createdAt });
    this.logger.log({ paymentId, reason: change.reason }, 'sums of a payment changed');
  }

  /** Sets or clears the reason for manual review (specification/payment-states.md#review-reasons). */
  private flagForReview(state: PaymentAggregate, funds: Settlement): void {
    const { payment } = state;
    const reason = reviewReason(state, funds, this.decisionsOf(state));
    if (reason === 'reorg' && payment.reviewReason !== 'reorg') {
      this.logger.error({ paymentId: payment.id }, 'a reorg removed funds of a settled payment');
    }
    payment.reviewReason = reason;
  }

  /** When to recompute the payment: at the end of an underpayment's quote, at once for a transfer without a rate. */
  private recheckAt(state: PaymentAggregate, funds: Settlement): Date | null {
    const { payment, site, transfers } = state;
    if (transfers.some((transfer) => awaitsRate(transfer))) return this.clock.now();
    const mayBeAccepted = payment.status === 'UNDERPAID' && site.allowUnderpay && funds.isLeastShareMet;
    const quoteEnd = new Date(lastQuoteEnd(state));
    // After that only a block can change anything, and applying it recomputes the payment.
    return mayBeAccepted && quoteEnd > this.clock.now() ? quoteEnd : null;
  }

  private write(batch: PaymentBatch, state: PaymentAggregate, funds: Settlement, previousSeq: number): void {
    this.flagForReview(state, funds);
    batch.addStep(state.payment, previousSeq, this.recheckAt(state, funds));
  }
}

/** The later of two times, in case the clock was set back: the database refuses an effect before its cause. */
function later(now: Date, cause: Date | null): Date {
  return cause !== null && cause > now ? cause : now;
}

/** When the last quote that values funds of the payment ends, in Unix milliseconds; 0 without one. */
function lastQuoteEnd({ quotes, transfers }: PaymentAggregate): number {
  const used = quotes.filter((quote) => transfers.some((transfer) => transfer.quoteId === quote.id));
  return Math.max(0, ...used.map((quote) => quote.expiresAt.getTime()));
}

/**
 * The received funds in the settlement currency, rounded down; null if no rate was known when the quote was made
 * (specification/money.md#settlement-currency).
 */
function settledAmount({ payment, quotes, transfers }: PaymentAggregate): bigint | null {
  if (payment.settlementCurrencyCode === payment.currencyCode) return payment.receivedAmount;
  const quote = quotes.findLast(({ id }) => transfers.some((transfer) => transfer.quoteId === id));
  if (!quote?.settlementRate) return null;
  return pricedAmountFor({
    assetAmount: payment.receivedAmount,
    assetDecimals: getCurrency(payment.currencyCode).decimals,
    rate: parseRate(quote.settlementRate),
    pricedDecimals: getCurrency(payment.settlementCurrencyCode).decimals,
  });
}
