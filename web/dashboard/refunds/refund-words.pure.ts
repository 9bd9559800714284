import type { RefundStatus } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import type { Tone } from '../parts/tone.pure.js';

/** How the status of a refund is shown. */
export const REFUND_WORDS: Record<RefundStatus, readonly [Tone, MessageKey]> = {
  AWAITING_ADDRESS: ['calm', 'refund.awaiting-address'],
  AWAITING_PAYMENT: ['warn', 'refund.awaiting-payment'],
  PROCESSING: ['calm', 'refund.processing'],
  COMPLETED: ['good', 'refund.completed'],
  CANCELLED: ['idle', 'refund.cancelled'],
  FAILED: ['bad', 'refund.failed'],
  EXPIRED: ['idle', 'refund.expired'],
};
export const REFUND_STATUSES = Object.keys(REFUND_WORDS) as RefundStatus[];

/** The merchant's wallet has to pay it. */
export function isPayable(status: RefundStatus): boolean {
  return status === 'AWAITING_PAYMENT' || status === 'FAILED';
}

/** It can still be cancelled, whoever has asked for it (specification/refunds.md). */
export function isWithdrawable(status: RefundStatus): boolean {
  return status === 'AWAITING_ADDRESS' || isPayable(status);
}
