import type { Payment, Transfer } from '../../payments/payment.pure.js';
import { isLive } from '../../payments/transfers/transfer-state.pure.js';

/**
 * What a receipt proves (specification/receipts.md#state):
 * `final`: paid, with the confirmations that the shop requires. `reverted`: it was paid, and a reorganization removed
 * funds after the shop had acknowledged them. `pending`: funds are there, and not final. `short`: less than the price is
 * confirmed. `unpaid`: no funds count. `refunded`: everything was sent back. `closed`: the payment ended unpaid.
 */
export type ReceiptVerdict = 'final' | 'reverted' | 'pending' | 'short' | 'unpaid' | 'refunded' | 'closed';

export function receiptVerdict(
  { status, reviewReason }: Pick<Payment, 'status' | 'reviewReason'>,
  transfers: readonly Pick<Transfer, 'isMatched' | 'isDust' | 'state'>[],
): ReceiptVerdict {
  switch (status) {
    case 'RECEIVED':
    case 'CONFIRMED':
      return reviewReason === 'reorg' ? 'reverted' : 'final';
    case 'REFUND':
      return 'refunded';
    case 'UNDERPAID':
      return 'short';
    case 'OPEN':
    case 'FOUND':
      return transfers.some((one) => one.isMatched && !one.isDust && isLive(one)) ? 'pending' : 'unpaid';
    case 'CANCELLED':
    case 'ERROR':
      return 'closed';
  }
}
