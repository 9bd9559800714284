import type { EventType } from '../applications/event-types.pure.js';
import type { Settlement } from './quotes/settlement.pure.js';

/** See specification/payment-states.md#statuses. */
export const PAYMENT_STATUSES = [
  'OPEN',
  'FOUND',
  'UNDERPAID',
  'RECEIVED',
  'CONFIRMED',
  'CANCELLED',
  'ERROR',
  'REFUND',
] as const;
export type PaymentStatus = (typeof PAYMENT_STATUSES)[number];

export function isPaymentStatus(name: string): name is PaymentStatus {
  return (PAYMENT_STATUSES as readonly string[]).includes(name);
}

/** Whether the payment was paid, so that the customer gets a receipt (specification/receipts.md#link). */
export function hasReceipt(status: PaymentStatus): boolean {
  return status === 'RECEIVED' || status === 'CONFIRMED' || status === 'REFUND';
}

/**
 * Every legal move (specification/payment-states.md#transitions).
 * The database enforces the same table (migrations/0001-baseline/payments.sql).
 */
export const TRANSITIONS = {
  OPEN: ['FOUND', 'CANCELLED', 'ERROR'],
  FOUND: ['RECEIVED', 'UNDERPAID', 'OPEN'],
  UNDERPAID: ['RECEIVED', 'OPEN', 'REFUND'],
  RECEIVED: ['CONFIRMED', 'FOUND', 'UNDERPAID', 'OPEN', 'REFUND'],
  CONFIRMED: ['REFUND', 'CANCELLED'],
  CANCELLED: [],
  ERROR: [],
  REFUND: [],
} as const satisfies Record<PaymentStatus, readonly PaymentStatus[]>;

/** Whether a move is legal; staying is not a move. */
export function canMove(from: PaymentStatus, to: PaymentStatus): boolean {
  return (TRANSITIONS[from] as readonly PaymentStatus[]).includes(to);
}

/** What a status depends on besides transfers. */
export interface Decisions {
  allowUnderpay: boolean;
  allowOverpay: boolean;
  /** Every quote that values funds of the payment has expired. */
  isQuoteEnded: boolean;
  /**
   * Confirmed funds when the underpayment was accepted, by the merchant or automatically, in the smallest unit of the
   * pricing currency; null: it was not accepted.
   */
  acceptedAmount: bigint | null;
  isOverpayAccepted: boolean;
  /** Sum of the completed refunds, in the smallest unit of the pricing currency. */
  refundedAmount: bigint;
  /**
   * The merchant responded to payment.received with 2xx or accepted the payment, or there is no endpoint
   * (specification/payment-states.md#confirmed).
   */
  isAcknowledged: boolean;
}

export interface Move {
  to: PaymentStatus;
  /** Stored in the history; one of a fixed set of words. */
  reason: string;
}

/**
 * The next move that follows from the facts, or null if the status fits them. It is called until it returns null, so a
 * payment that is fully confirmed when first seen still goes OPEN, FOUND, RECEIVED
 * (specification/payment-states.md#transitions).
 */
export function nextMove(status: PaymentStatus, funds: Settlement, decisions: Decisions): Move | null {
  switch (status) {
    case 'OPEN':
      return funds.isSeen ? { to: 'FOUND', reason: 'transfer_seen' } : null;
    case 'FOUND':
      if (!funds.isSeen) return { to: 'OPEN', reason: 'transfers_gone' };
      if (funds.coverage === 'full' || funds.coverage === 'over')
        return { to: 'RECEIVED', reason: 'paid_in_full' };
      return funds.isAllConfirmed ? { to: 'UNDERPAID', reason: 'amount_short' } : null;
    case 'UNDERPAID':
      if (!funds.isSeen) return { to: 'OPEN', reason: 'transfers_gone' };
      if (funds.coverage === 'full' || funds.coverage === 'over')
        return { to: 'RECEIVED', reason: 'paid_in_full' };
      return isUnderpaymentAccepted(funds, decisions)
        ? { to: 'RECEIVED', reason: 'underpayment_accepted' }
        : null;
    case 'RECEIVED':
      if (!isStillPaid(funds, decisions)) return { to: fallBack(funds), reason: 'reorg' };
      if (isHeldAsOverpaid(funds, decisions)) return null;
      return decisions.isAcknowledged ? { to: 'CONFIRMED', reason: 'merchant_acknowledged' } : null;
    case 'CONFIRMED':
    case 'CANCELLED':
    case 'ERROR':
    case 'REFUND':
      return null;
  }
}

/**
 * Without `allowOverpay`, a payment for which more was seen than is due, confirmed or not, waits until the merchant accepts
 * it or the excess is refunded (specification/payment-states.md#overpayment).
 */
export function isHeldAsOverpaid(funds: Settlement, decisions: Decisions): boolean {
  const { allowOverpay, isOverpayAccepted, refundedAmount } = decisions;
  return !allowOverpay && !isOverpayAccepted && funds.excessAmount > refundedAmount;
}

/**
 * The move to REFUND once completed refunds cover everything received but dust
 * (specification/refunds.md#effect-on-the-payment). Null until then, and where the move is not legal: a cancelled payment
 * stays cancelled.
 */
export function refundMove(
  status: PaymentStatus,
  { countedAmount, leastAmount }: Pick<Settlement, 'countedAmount' | 'leastAmount'>,
  refunded: bigint,
): Move | null {
  const isCovered = refunded > 0n && countedAmount - refunded < leastAmount;
  return isCovered && canMove(status, 'REFUND') ? { to: 'REFUND', reason: 'refunded_in_full' } : null;
}

/**
 * Automatic acceptance waits until all funds are confirmed and the quote has ended, so that the customer can still pay
 * the rest (specification/payment-states.md#underpayment).
 */
function isUnderpaymentAccepted(funds: Settlement, decisions: Decisions): boolean {
  if (funds.coverage !== 'short' || !funds.isAllConfirmed) return false;
  return (
    decisions.acceptedAmount !== null ||
    (decisions.allowUnderpay && decisions.isQuoteEnded && funds.isLeastShareMet)
  );
}

/**
 * Whether the funds that made the payment RECEIVED are still confirmed: the amount due, or the sum that was accepted
 * instead (specification/payment-states.md#reorganizations). Further funds, pending or not, never count against it.
 */
export function isStillPaid(funds: Settlement, { acceptedAmount }: Decisions): boolean {
  if (funds.coverage === 'full' || funds.coverage === 'over') return true;
  return funds.coverage === 'short' && acceptedAmount !== null && funds.receivedAmount >= acceptedAmount;
}

/** The status of a RECEIVED payment whose funds a reorganization removed (specification/payment-states.md#reorganizations). */
function fallBack(funds: Settlement): PaymentStatus {
  if (!funds.isSeen) return 'OPEN';
  return funds.isAllConfirmed ? 'UNDERPAID' : 'FOUND';
}

/** The status of the payment in the body of an event (specification/events.md#event-types). */
export const STATUS_AT: Readonly<Record<EventType, PaymentStatus>> = {
  'payment.received': 'RECEIVED',
  'payment.completed': 'CONFIRMED',
  'payment.underpaid': 'UNDERPAID',
  'payment.refund': 'REFUND',
  'payment.found': 'FOUND',
  'payment.expired': 'OPEN',
  'payment.cancelled': 'CANCELLED',
  // In any status; in samples this one.
  'payment.updated': 'CONFIRMED',
};

/**
 * The event for entry into a status, if there is one (specification/events.md#event-types); whether the application
 * subscribes to it is checked elsewhere.
 */
export function eventOnEntry(to: PaymentStatus, isUnderpaidAnnounced: boolean): EventType | null {
  switch (to) {
    case 'FOUND':
      return 'payment.found';
    case 'RECEIVED':
      return 'payment.received';
    case 'CONFIRMED':
      return 'payment.completed';
    case 'UNDERPAID':
      return isUnderpaidAnnounced ? 'payment.underpaid' : null;
    case 'REFUND':
      return 'payment.refund';
    case 'CANCELLED':
      return 'payment.cancelled';
    case 'OPEN':
    case 'ERROR':
      return null;
  }
}
