import { EXPIRY_GRACE_SECONDS } from '../payment-expiry.pure.js';
import type { Payment, Quote, Transfer } from '../payment.pure.js';
import { isLive } from '../transfers/transfer-state.pure.js';

/** What decides whether a payment was paid after the end of its link. */
export interface PaidLateFacts {
  /** `foundAt`: since when funds are seen without a break, also while one transaction takes the place of another. */
  payment: Pick<Payment, 'expiresAt' | 'foundAt' | 'underpayAcceptedAt'>;
  transfers: readonly Pick<
    Transfer,
    'id' | 'amount' | 'floor' | 'state' | 'isMatched' | 'isDust' | 'seenAt' | 'blockTime'
  >[];
  quotes: readonly Pick<Quote, 'acceptedTransferId'>[];
}

/**
 * Of a payment that is about to be paid: when its first money came, if that was after the end of its link; null if it came
 * in time, or if the merchant has just decided to take it (specification/payment-states.md#paid-late). The time of a block
 * counts where it is earlier than the sight, so an outage of the gateway makes nobody late; and so do the seconds that
 * payment.expired waits for.
 */
export function paidLateAt({ payment, transfers, quotes }: PaidLateFacts): Date | null {
  const counted = transfers.filter(
    // Not what strangers had sent before, which is below the floor alone and counts beside the rest.
    (transfer) =>
      isLive(transfer) && transfer.isMatched && !transfer.isDust && transfer.amount >= transfer.floor,
  );
  const isAccepted =
    payment.underpayAcceptedAt !== null ||
    counted.some(({ id }) => quotes.some(({ acceptedTransferId }) => acceptedTransferId === id));
  const sights = [payment.foundAt, ...counted.flatMap(({ seenAt, blockTime }) => [seenAt, blockTime])];
  const first = Math.min(...sights.flatMap((at) => at?.getTime() ?? []));
  const end = payment.expiresAt.getTime() + EXPIRY_GRACE_SECONDS * 1_000;
  return !isAccepted && first > end && Number.isFinite(first) ? new Date(first) : null;
}
