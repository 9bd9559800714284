import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { type EventType, STANDARD_EVENTS } from '../../applications/event-types.pure.js';
import { UNDERPAY_SHARES } from '../../applications/underpay-shares.pure.js';
import { presentAmount } from '../../money/present-amount.js';
import { getCurrency } from '../../money/currencies.js';
import { type Change, NO_SUMS, sumsOf } from '../../payments/payment-change.pure.js';
import type { Payment, PaymentAggregate } from '../../payments/payment.pure.js';
import { type PaymentStatus, STATUS_AT } from '../../payments/payment-status.pure.js';
import type { RefundContract } from '../../refunds/refund.contract.js';

/** In addition to `"test":true` in the signed body, so that a proxy or log can tell tests apart without parsing it. */
export const TEST_HEADER = { 'X-PaymentService-Test': 'true' };

/** In cents: too small an amount to ship goods for by mistake. */
const AMOUNT = 2n;
const CURRENCY = 'USD';

/** Confirmed amount in cents; none in the other statuses. */
const RECEIVED: Partial<Record<PaymentStatus, bigint>> = {
  UNDERPAID: AMOUNT / 2n,
  RECEIVED: AMOUNT,
  CONFIRMED: AMOUNT,
  REFUND: AMOUNT,
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
  const status = STATUS_AT[type];
  const received = RECEIVED[status] ?? 0n;
  const isConfirmed = status === 'CONFIRMED' || status === 'REFUND';
  const isSeen = status !== 'OPEN' && status !== 'CANCELLED';
  const payment: Payment = {
    id: paymentId,
    userId,
    applicationId,
    status,
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
    receivedAmount: received,
    overpaidAmount: null,
    underpaidAmount: status === 'UNDERPAID' ? AMOUNT - received : null,
    settledAmount: null,
    refundedAmount: status === 'REFUND' ? AMOUNT : 0n,
    foundAt: isSeen ? now : null,
    receivedAt: received === AMOUNT ? now : null,
    confirmedAt: isConfirmed ? now : null,
    cancelledAt: status === 'CANCELLED' ? now : null,
    cancelReason: null,
    errorReason: null,
    reviewReason: null,
    reasonBefore: null,
    acknowledgedAt: isConfirmed ? now : null,
    underpayAcceptedAt: null,
    underpayAcceptedAmount: null,
    overpayAcceptedAt: null,
    told: null,
    keptAmount: null,
    twiceKeptAt: null,
    paidLateAt: null,
    lateKeptAt: null,
  };
  const site = {
    allowOverpay: true,
    allowUnderpay: false,
    ...UNDERPAY_SHARES,
    hasCallback: true,
    events: STANDARD_EVENTS,
    confirmations: {},
  };
  return { payment, isAuthentic: true, quotes: [], transfers: [], site };
}

/** Sample refund that goes with a `payment.refund` event (specification/refunds.md#routes); null with other events. */
export function sampleRefund(
  { type, paymentId, userId, applicationId, now }: SampleEvent,
  refundId: string,
  baseUrl: string,
): RefundContract | null {
  if (type !== 'payment.refund') return null;
  const amount = presentAmount(AMOUNT, getCurrency(CURRENCY));
  const at = toIsoSeconds(now);
  return {
    id: refundId,
    paymentId,
    reference: `webhook-test-${paymentId}`,
    paymentApplicationId: applicationId,
    type: 'FULL',
    status: 'COMPLETED',
    transferId: null,
    amount,
    payoutAmount: presentAmount(20_000n, getCurrency('USDC')),
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
    createdBy: 'merchant',
    requestedBy: userId,
    createdAt: at,
    completedAt: at,
    expiresAt: at,
    failureReason: null,
  };
}

/** The change that goes with a sample of `payment.updated`: what the sample payment has, received. */
export function sampleChange(state: PaymentAggregate): Change {
  return { reason: 'funds_received', before: NO_SUMS, after: sumsOf(state) };
}
