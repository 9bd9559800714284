import type { PaymentStatus } from './payment-status.pure.js';
import type { ReviewReason } from './payment.pure.js';
import type { TooMuch } from './too-much/too-much.pure.js';

/** Why a payment needs its merchant, worst first (specification/overview.md#attention). */
export const PAYMENT_ATTENTION = [
  'integrity',
  'reorg',
  'shop_not_told',
  'refund_failed',
  'refund_waits',
  'unmatched_funds',
  'unlisted_token',
  'funds_after_end',
  'paid_late',
  'paid_twice',
  'overpaid',
  'overpaid_held',
  'late_funds',
  'underpaid',
] as const;
export type PaymentAttention = (typeof PAYMENT_ATTENTION)[number];

/** Whether the shop knows the newest thing that happened (specification/overview.md#told). */
export const TOLD = [
  'nothing_to_tell',
  'waiting',
  'told',
  'retrying',
  'failed',
  'no_endpoint',
  'unknown',
] as const;
export type Told = (typeof TOLD)[number];

/** What a payment waits for, or how it ended (specification/overview.md#what-happens). */
export const SITUATIONS = [
  'awaiting_choice',
  'awaiting_funds',
  'link_expired',
  'unmatched_funds',
  'confirming',
  'awaiting_rest',
  'overpaid_held',
  'telling_shop',
  'shop_not_told',
  'paid',
  'cancelled',
  'failed',
  'refunded',
] as const;
export type Situation = (typeof SITUATIONS)[number];

/** The newest event of a payment that is still true, and its delivery. */
export interface NewestEvent {
  isDispatched: boolean;
  /** There is a URL for the payment's webhooks now. */
  hasEndpoint: boolean;
  /** Null: not created yet, deleted after its time, or never created because there was no URL. */
  deliveryState: string | null;
  attempts: number;
}

/** What the list knows about a payment beside its columns. */
export interface OverviewFacts {
  status: PaymentStatus;
  reviewReason: ReviewReason | null;
  isExpired: boolean;
  /** A network and a coin were chosen. */
  isChosen: boolean;
  told: Told;
  hasUnmatchedFunds: boolean;
  hasLateFunds: boolean;
  hasFailedRefund: boolean;
  /** A refund that the merchant has to pay. */
  hasWaitingRefund: boolean;
  /** The customer has named a transaction that sent a token which the gateway does not list. */
  hasUnlistedToken: boolean;
  tooMuch: TooMuch;
}

/** @param newest null: nothing happened that a webhook reports */
export function toldOf(newest: NewestEvent | null): Told {
  if (!newest) return 'nothing_to_tell';
  switch (newest.deliveryState) {
    case null:
      if (!newest.isDispatched) return 'waiting';
      return newest.hasEndpoint ? 'unknown' : 'no_endpoint';
    case 'succeeded':
      return 'told';
    case 'pending':
      return newest.attempts > 0 ? 'retrying' : 'waiting';
    case 'skipped':
      return 'no_endpoint';
    case 'exhausted':
    case 'blocked':
      return 'failed';
    default:
      return 'unknown';
  }
}

/** Whether what was sent has failed so far. */
const isUnheard = (told: Told) => told === 'retrying' || told === 'failed';

export function situationOf(facts: OverviewFacts): Situation {
  switch (facts.status) {
    case 'OPEN':
      if (facts.hasUnmatchedFunds) return 'unmatched_funds';
      if (facts.isExpired) return 'link_expired';
      return facts.isChosen ? 'awaiting_funds' : 'awaiting_choice';
    case 'FOUND':
      return 'confirming';
    case 'UNDERPAID':
      return 'awaiting_rest';
    case 'RECEIVED':
      if (facts.reviewReason === 'overpaid') return 'overpaid_held';
      return isUnheard(facts.told) ? 'shop_not_told' : 'telling_shop';
    case 'CONFIRMED':
      return 'paid';
    case 'CANCELLED':
      return 'cancelled';
    case 'ERROR':
      return 'failed';
    case 'REFUND':
      return 'refunded';
  }
}

/** Every reason that applies, worst first; the queue over all payments finds the same (attention.repository.ts). */
export function attentionOf(facts: OverviewFacts): PaymentAttention[] {
  const { status, reviewReason } = facts;
  // What else its rows say is not known to be true, and nothing of it can be settled.
  if (reviewReason === 'integrity') return ['integrity'];
  const isUnpaid = status === 'FOUND' || status === 'UNDERPAID';
  const applies: Record<Exclude<PaymentAttention, 'integrity'>, boolean> = {
    reorg: reviewReason === 'reorg',
    shop_not_told: status === 'RECEIVED' && isUnheard(facts.told),
    refund_failed: facts.hasFailedRefund,
    refund_waits: facts.hasWaitingRefund,
    unmatched_funds: facts.hasUnmatchedFunds,
    unlisted_token: facts.hasUnlistedToken,
    funds_after_end: facts.tooMuch.isAfterEnd,
    paid_late: facts.tooMuch.isPaidLate,
    paid_twice: facts.tooMuch.isPaidTwice,
    overpaid: facts.tooMuch.owed > 0n,
    overpaid_held: reviewReason === 'overpaid',
    // Late funds that pay a payment in full need no action.
    late_funds: isUnpaid && facts.hasLateFunds,
    underpaid: status === 'UNDERPAID',
  };
  return PAYMENT_ATTENTION.filter((kind) => kind !== 'integrity' && applies[kind]);
}
