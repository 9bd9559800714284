import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { type EventType, STANDARD_EVENTS } from '../applications/event-types.pure.js';
import { toAmountDto } from '../money/amount-dto.js';
import { getCurrency } from '../money/currencies.js';
import type { Payment, PaymentAggregate } from '../payments/payment.pure.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';

/** In addition to `"test":true` in the signed body, so that a proxy or log can tell tests apart without parsing it. */
export const TEST_HEADER = { 'X-PaymentService-Test': 'true' };

/** In cents: too small an amount to ship goods for by mistake. */
const AMOUNT = 2n;
const CURRENCY = 'USD';

const STATUS_OF: Record<EventType, PaymentStatus> = {
  'payment.received': 'RECEIVED',
  'payment.completed': 'CONFIRMED',
  'payment.underpaid': 'UNDERPAID',
  'payment.refund': 'REFUND',
  'payment.found': 'FOUND',
  'payment.expired': 'OPEN',
  'payment.cancelled': 'CANCELLED',
};

/** Confirmed amount at each event, in cents. */
const RECEIVED: Record<EventType, bigint> = {
  'payment.received': AMOUNT,
  'payment.completed': AMOUNT,
  'payment.underpaid': AMOUNT / 2n,
  'payment.refund': AMOUNT,
  'payment.found': 0n,
  'payment.expired': 0n,
  'payment.cancelled': 0n,
};

/** The event to build a sample of. */
export interface SampleEvent {
  id: string;
  type: EventType;
  /** Random: no stored payment has it. */
  paymentId: string;
  userId: string;
  applicationId: string;
  now: Date;
}

/**
 * Sample payment as it would be at the event: a random id that is never saved, a `webhook-test-` reference, 0.02 USD,
 * no transactions.
 */
export function samplePayment({
  type,
  paymentId,
  userId,
  applicationId,
  now,
}: SampleEvent): PaymentAggregate {
  const isUnderpaid = type === 'payment.underpaid';
  const isConfirmed = type === 'payment.completed' || type === 'payment.refund';
  const isSeen = type !== 'payment.expired' && type !== 'payment.cancelled';
  const payment: Payment = {
    id: paymentId,
    userId,
    applicationId,
    status: STATUS_OF[type],
    statusSeq: 1,
    reference: `webhook-test-${paymentId}`,
    referenceLabel: 'Test of your webhook',
    currencyCode: CURRENCY,
    settlementCurrencyCode: CURRENCY,
    amount: AMOUNT,
    redirectUrl: null,
    blockchainSlug: null,
    productId: null,
    callbackUrl: null,
    metadata: {},
    livemode: false,
    // In the past, so that its checkout link is expired.
    expiresAt: new Date(now.getTime() - 1_000),
    createdAt: now,
    selectedProvider: null,
    selectedMethod: null,
    receivedAmount: RECEIVED[type],
    overpaidAmount: null,
    underpaidAmount: isUnderpaid ? AMOUNT - RECEIVED[type] : null,
    settledAmount: null,
    refundedAmount: type === 'payment.refund' ? AMOUNT : 0n,
    foundAt: isSeen ? now : null,
    receivedAt: RECEIVED[type] === AMOUNT ? now : null,
    confirmedAt: isConfirmed ? now : null,
    cancelledAt: type === 'payment.cancelled' ? now : null,
    cancelReason: null,
    errorReason: null,
    reviewReason: null,
    acknowledgedAt: isConfirmed ? now : null,
    underpayAcceptedAt: null,
    underpayAcceptedAmount: null,
    overpayAcceptedAt: null,
  };
  const site = {
    allowOverpay: true,
    allowUnderpay: false,
    hasCallback: true,
    events: STANDARD_EVENTS,
    confirmations: {},
  };
  return { payment, quotes: [], transfers: [], site };
}

/** Sample refund that goes with a `payment.refund` event (specification/refunds.md); null with other events. */
export function sampleRefund(
  { type, paymentId, userId, now }: SampleEvent,
  refundId: string,
  baseUrl: string,
): object | null {
  if (type !== 'payment.refund') return null;
  const amount = toAmountDto(AMOUNT, getCurrency(CURRENCY));
  const at = toIsoSeconds(now);
  return {
    id: refundId,
    paymentId,
    type: 'FULL',
    status: 'COMPLETED',
    amount,
    payoutAmount: toAmountDto(20_000n, getCurrency('USDC')),
    rate: { base: 'USDC', quote: CURRENCY, value: '1.0000', lockedAt: at },
    blockchain: 'ethereum',
    token: null,
    address: null,
    addressSetBy: null,
    memo: null,
    // Unsigned, so the link does not work.
    claimUrl: `${baseUrl}/refund/${refundId}`,
    paymentUri: null,
    txHash: null,
    explorerUrl: null,
    confirmations: { seen: 0, required: 0 },
    reason: 'merchant_request',
    note: 'Test of your webhook',
    requestedBy: userId,
    createdAt: at,
    completedAt: at,
    expiresAt: at,
    failureReason: null,
  };
}
