import type { PaymentStatus } from '../../payments/payment-status.pure.js';
import type { ReviewReason } from '../../payments/payment.pure.js';
import type { TransferState } from '../../payments/transfers/transfer-state.pure.js';
import { type ReceiptVerdict, receiptVerdict } from './receipt-verdict.pure.js';

const of = (state: TransferState, isMatched = true, isDust = false) => ({ state, isMatched, isDust });

describe('what a receipt proves', () => {
  const cases: [PaymentStatus, ReviewReason | null, ReturnType<typeof of>[], ReceiptVerdict][] = [
    ['RECEIVED', null, [of('confirmed')], 'final'],
    ['RECEIVED', 'overpaid', [of('confirmed')], 'final'],
    ['RECEIVED', null, [of('confirmed'), of('pending')], 'final'],
    ['CONFIRMED', null, [of('confirmed')], 'final'],
    ['CONFIRMED', 'reorg', [of('orphaned')], 'reverted'],
    ['REFUND', null, [of('confirmed')], 'refunded'],
    ['UNDERPAID', null, [of('confirmed')], 'short'],
    ['FOUND', null, [of('pending')], 'pending'],
    ['FOUND', null, [of('pending', false)], 'unpaid'],
    ['OPEN', null, [of('orphaned')], 'unpaid'],
    ['OPEN', null, [of('replaced')], 'unpaid'],
    ['OPEN', null, [of('confirmed', true, true)], 'unpaid'],
    ['OPEN', null, [], 'unpaid'],
    ['CANCELLED', 'funds_after_cancel', [of('confirmed')], 'closed'],
    ['ERROR', null, [], 'closed'],
  ];
  it.each(cases)('%s, review %s, %j: %s', (status, reviewReason, transfers, verdict) => {
    expect(receiptVerdict({ status, reviewReason }, transfers)).toBe(verdict);
  });
});
