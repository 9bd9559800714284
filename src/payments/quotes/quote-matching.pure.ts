import type { Payment, Quote, Transfer } from '../payment.pure.js';

/** How long a rate still holds after its quote has expired (specification/payment-states.md#late-funds). */
const GRACE_MS = 15 * 60 * 1000;

export interface QuoteMatch {
  /** Null: the asset was never quoted, or the funds are late and need a rate of their own. */
  quoteId: string | null;
  /** False: an asset that was never quoted for the payment (specification/payment-states.md#unmatched-funds). */
  isMatched: boolean;
  isLate: boolean;
}

/**
 * Selects the quote that values a transfer when it is first seen. Of the quotes that still hold, one with exactly the
 * transferred amount is preferred, because the customer paid what an earlier page had shown; otherwise the newest.
 * @param arrivedAt when the funds arrived: the time of the block, or now if that is earlier
 */
export function matchQuote(
  payment: Pick<Payment, 'currencyCode'>,
  quotes: readonly Quote[],
  transfer: { chain: string; asset: string; currencyCode: string; amount: bigint },
  arrivedAt: Date,
): QuoteMatch {
  // An acceptance is for one transfer; the merchant decides again about the next one.
  const locks = quotes.filter(({ acceptedTransferId }) => acceptedTransferId === null);
  const fitting = locks.filter((quote) => quote.chain === transfer.chain && quote.asset === transfer.asset);
  const newest = fitting.at(-1);
  if (!newest) return { quoteId: null, isMatched: false, isLate: false };
  const isOwnCurrency = transfer.currencyCode === payment.currencyCode;
  const holding = fitting.filter(
    (quote) =>
      isOwnCurrency || (!quote.isLate && arrivedAt.getTime() <= quote.expiresAt.getTime() + GRACE_MS),
  );
  const chosen = holding.findLast((quote) => quote.assetAmount === transfer.amount) ?? holding.at(-1);
  return chosen
    ? { quoteId: chosen.id, isMatched: true, isLate: false }
    : { quoteId: null, isMatched: true, isLate: true };
}

/** Whether a transfer counts by a quote of its payment, its chain and its asset, or may get one. */
export function isAttributable(
  {
    id,
    chain,
    asset,
    quoteId,
    isMatched,
  }: Pick<Transfer, 'id' | 'chain' | 'asset' | 'quoteId' | 'isMatched'>,
  quotes: readonly Pick<Quote, 'id' | 'chain' | 'asset' | 'acceptedTransferId'>[],
): boolean {
  const own = quotes.filter((quote) => quote.chain === chain && quote.asset === asset);
  if (!isMatched) return quoteId === null;
  if (quoteId === null) return own.some(({ acceptedTransferId }) => acceptedTransferId === null);
  return own.some((one) => one.id === quoteId && (one.acceptedTransferId ?? id) === id);
}
