import { canMove, type PaymentStatus } from './payment-status.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

/** The facts that decide what a merchant can do with a payment. */
export interface Standing {
  status: PaymentStatus;
  funds: Pick<Settlement, 'isSeen' | 'isAllConfirmed' | 'coverage' | 'receivedAmount'>;
  /** Funds that matter, were not asked for, and that nobody has accepted or gives back; `waiting`: unconfirmed. */
  unmatched: 'none' | 'waiting' | 'confirmed';
  /** Sum of the refunds that are neither cancelled nor expired, in the pricing currency's smallest unit. */
  promised: bigint;
}

/**
 * The one answer to "was anything received?"; dust is nothing (specification/payment-states.md#dust). `awaited`: seen, and
 * nothing is confirmed yet; `unmatched`: only what was not asked for.
 */
export function holdingOf({ funds, unmatched }: Standing): 'nothing' | 'unmatched' | 'awaited' | 'received' {
  if (funds.coverage !== 'none') return 'received';
  if (funds.isSeen) return 'awaited';
  return unmatched === 'none' ? 'nothing' : 'unmatched';
}

/** Nothing that was received can be taken for a payment, so that the order can be closed. */
export function isCancellable(standing: Standing): boolean {
  return holdingOf(standing) === 'nothing' && canMove(standing.status, 'CANCELLED');
}

/**
 * The merchant can take the payment as it is (specification/payments.md#accept). A part not while refunds promise all of
 * it: the order would be paid by what the customer has a link to get back.
 */
export function isAcceptable(standing: Standing): boolean {
  const { status, funds } = standing;
  const isPart = status === 'UNDERPAID' && funds.coverage === 'short' && funds.isAllConfirmed;
  return status === 'RECEIVED' || (isPart && leftToRefund(standing) > 0n);
}

/**
 * Whether money can be given back that the payment has received (specification/refunds.md#refundable-payments). OPEN and
 * FOUND payments cannot: their status may still change without a decision of the merchant.
 */
export function isRefundable(standing: Standing): boolean {
  return standing.status !== 'OPEN' && standing.status !== 'FOUND' && holdingOf(standing) === 'received';
}

/** What was received and not promised; never negative, although a reorganization may remove funds that are promised. */
export function leftToRefund({ funds, promised }: Standing): bigint {
  return funds.receivedAmount > promised ? funds.receivedAmount - promised : 0n;
}

/** What leads on, in the order in which it is told. */
export const WAYS = ['wait', 'cancel', 'accept', 'refund', 'finish_refund', 'return', 'count'] as const;
export type Way = (typeof WAYS)[number];

const TEXTS: Readonly<Record<Way, string>> = {
  wait: 'Wait until its funds are confirmed or gone; GET /api/payment/{paymentId} shows their confirmations.',
  cancel: 'It is closed by POST /api/payment/{paymentId}/cancel.',
  accept: 'POST /api/payment/{paymentId}/accept takes it as it is.',
  refund: 'To return money, use POST /api/payment/{paymentId}/refunds.',
  finish_refund:
    'Its funds are promised by refunds: pay them out, or cancel them; GET /api/payment/{paymentId}/refunds lists them.',
  return:
    'What came and was not asked for is returned by POST /api/payment/{paymentId}/refunds with its transferId.',
  count: 'POST /api/payment/{paymentId}/accept with its transferId makes it count.',
};

/** Every way that is open, so that no refusal points to another one. */
export function waysOf(standing: Standing): Way[] {
  const { status, unmatched, promised } = standing;
  const holding = holdingOf(standing);
  const canRefund = isRefundable(standing);
  const isOpen: Record<Way, boolean> = {
    wait: status === 'FOUND' || holding === 'awaited' || unmatched === 'waiting',
    cancel: isCancellable(standing),
    accept: isAcceptable(standing),
    refund: canRefund && leftToRefund(standing) > 0n,
    finish_refund: canRefund && promised > 0n && leftToRefund(standing) === 0n && status !== 'REFUND',
    return: unmatched === 'confirmed',
    count: unmatched !== 'none',
  };
  return WAYS.filter((way) => isOpen[way]);
}

const RULES = {
  cancel: 'Only a payment that has received nothing can be cancelled.',
  accept:
    'Only an UNDERPAID payment whose funds are confirmed and not all promised by refunds, or a RECEIVED one that waits for you, can be accepted.',
  refund: 'Only confirmed funds can be given back.',
  keep: 'Only confirmed money can be kept that is too much, paid twice for one reference, or came after the end.',
};

/** Why something is refused, and what is possible instead. */
export function refusalOf(standing: Standing, move: keyof typeof RULES): string {
  const why = {
    nothing: 'This one has received nothing that matters.',
    unmatched: 'This one has received only funds that were not asked for.',
    awaited: 'The funds of this one are not confirmed.',
    received: 'This one has received funds.',
  }[holdingOf(standing)];
  const ways = waysOf(standing).map((way) => TEXTS[way]);
  const isEnded =
    standing.status === 'CANCELLED' || standing.status === 'ERROR' || standing.status === 'REFUND';
  return [RULES[move], isEnded ? 'The status of this one is final.' : why, ...ways].join(' ');
}
