import type { Payment, Quote } from './payment.pure.js';

/** How long a locked rate still holds after its quote has ended (specification/payment-states.md#late-funds). */
const GRACE_MS = 15 * 60 * 1000;

export interface QuoteMatch {
  /** Null: the asset was never quoted, or the funds are late and await a rate of their own. */
  quoteId: string | null;
  /** False: an asset that was never quoted for the payment (specification/payment-states.md#unmatched-funds). */
  isMatched: boolean;
  isLate: boolean;
}

/**
 * Which quote values a transfer at first sight. Of the quotes that still hold, one whose amount was met
 * exactly comes first (the customer paid what an earlier page had shown), else the newest.
 * @param cameAt when the funds came: the block's time, or now if that is earlier
 */
export function matchQuote(
  payment: Pick<Payment, 'currencyCode'>,
  quotes: readonly Quote[],
  transfer: { chain: string; asset: string; currencyCode: string; amount: bigint },
  cameAt: Date,
): QuoteMatch {
  // An acceptance is for one transfer; the next of its kind is a decision of its own.
  const locks = quotes.filter(({ acceptedTransferId }) => acceptedTransferId === null);
  const fitting = locks.filter((quote) => quote.chain === transfer.chain && quote.asset === transfer.asset);
  const newest = fitting.at(-1);
  if (!newest) return { quoteId: null, isMatched: false, isLate: false };
  const isOwnCurrency = transfer.currencyCode === payment.currencyCode;
  const holding = fitting.filter(
    (quote) => isOwnCurrency || (!quote.isLate && cameAt.getTime() <= quote.expiresAt.getTime() + GRACE_MS),
  );
  const chosen = holding.findLast((quote) => quote.assetAmount === transfer.amount) ?? holding.at(-1);
  return chosen
    ? { quoteId: chosen.id, isMatched: true, isLate: false }
    : { quoteId: null, isMatched: true, isLate: true };
}
