import { toIsoSeconds } from '../platform/runtime/clock.pure.js';
import { type EventType, STANDARD_EVENTS } from '../applications/event-types.pure.js';
import { toAmountDto } from '../money/amount-dto.js';
import { getCurrency } from '../money/currencies.js';
import type { Payment, PaymentAggregate } from '../payments/payment.pure.js';
import type { PaymentStatus } from '../payments/payment-status.pure.js';

/** Beside `"test":true` in the signed body, so that a proxy or a log can tell without reading that. */
export const TEST_HEADER = { 'X-PaymentService-Test': 'true' };

/** Of the smallest unit of the test payments' currency: nothing that anybody would ship for. */
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

/** What of a test payment is confirmed on chain, at each event. */
const RECEIVED: Record<EventType, bigint> = {
  'payment.received': AMOUNT,
  'payment.completed': AMOUNT,
  'payment.underpaid': AMOUNT / 2n,
  'payment.refund': AMOUNT,
  'payment.found': 0n,
  'payment.expired': 0n,
  'payment.cancelled': 0n,
};

/** Who a test event is made up for. */
export interface TestEventRequest {
  id: string;
  type: EventType;
  /** Of no payment that exists. */
  paymentId: string;
  userId: string;
  applicationId: string;
  now: Date;
}

/**
 * A payment that never was, as it would stand at the event: its id is in no list, its reference begins with
 * `webhook-test-` and is nobody's order, it asks for two cents and has no transactions.
 */
export function samplePayment({
  type,
  paymentId,
  userId,
  applicationId,
  now,
}: TestEventRequest): PaymentAggregate {
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
    // Over already, so that its checkout link opens nothing.
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

/** The refund that goes with `payment.refund`, of a refund that never was; null with other events. */
export function sampleRefund(
  { type, paymentId, userId, now }: TestEventRequest,
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
    // Without a signature: it opens nothing.
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
