import { requirementFor, usualWait } from '../chains/required-confirmations.pure.js';
import type { Payment } from '../payments/payment.pure.js';
import { newId } from '../platform/kernel/ids.pure.js';
import type { PayoutAddress } from './payout-address.pure.js';
import type { PayoutPlan } from './payout-planner.service.js';
import type { RefundType } from './refund-status.pure.js';
import type { Refund } from './refund.pure.js';

/** How long the customer can name an address (specification/refunds.md#claim-links). */
const CLAIM_DAYS = 30;

/** What a refund promises. */
export interface RefundPromise {
  type: RefundType;
  /** In the smallest unit of the payment's currency; zero for a transfer. */
  amount: bigint;
  /** The unmatched transfer that is given back. */
  transferId: string | null;
  plan: PayoutPlan;
}

/** Who created a refund, and what the merchant said about it. */
export interface RefundOrigin {
  /** Null: the customer. */
  requestedBy: string | null;
  address: PayoutAddress | null;
  reason: string | null;
  note: string | null;
}

/** A refund as it is first stored. */
export function newRefund(
  payment: Payment,
  { type, amount, transferId, plan }: RefundPromise,
  { requestedBy, address, reason, note }: RefundOrigin,
  now: Date,
): Refund {
  const { chain, asset, payoutAmount, rate, rateLockedAt } = plan;
  return {
    id: newId(now),
    paymentId: payment.id,
    userId: payment.userId,
    type,
    status: address ? 'AWAITING_PAYMENT' : 'AWAITING_ADDRESS',
    statusSeq: 1,
    transferId,
    currencyCode: payment.currencyCode,
    reference: payment.reference,
    applicationId: payment.applicationId,
    amount,
    chain: chain.slug,
    asset: asset.asset,
    payoutCurrencyCode: asset.currencyCode,
    payoutDecimals: asset.decimals,
    payoutAmount,
    rate,
    rateLockedAt,
    confirmationsRequired: usualWait(chain, requirementFor(chain, asset.asset, payoutAmount, null)),
    address: address?.address ?? null,
    addressKey: address?.key ?? null,
    addressSetBy: address ? 'merchant' : null,
    txHash: null,
    txRecordedAt: null,
    txSeenAt: null,
    confirmations: 0,
    nextCheckAt: null,
    reason,
    note,
    requestedBy,
    createdAt: now,
    expiresAt: claimEnd(now),
    completedAt: null,
    failureReason: null,
  };
}

function claimEnd(now: Date): Date {
  const seconds = Math.floor(now.getTime() / 1000) + CLAIM_DAYS * 86_400;
  return new Date(seconds * 1000);
}
