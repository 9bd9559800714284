import type { PaymentAggregate, Quote } from '../../payments/payment.pure.js';
import type { StoredPrice } from '../../payments/quotes/stored-prices.pure.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';

/** A rate that a payment was settled at. */
export interface ReceiptRate {
  quoteId: string;
  /** One whole coin of this currency … */
  base: string;
  /** … was worth `value` of this one. */
  quote: string;
  value: string;
  lockedAt: string;
  /** `locked`: shown to the customer before paying. `late`: of the time when late funds were valued. `accepted`: of the time when the shop accepted the transfer. */
  kind: 'locked' | 'late' | 'accepted';
  /** How it was computed, e.g. `median(kraken,coinbase)`. */
  method: string;
  prices: StoredPrice[];
}

/** The rates of quotes that value transfers of the payment, oldest first; none for quotes without transfers. */
export function usedRates(
  { payment, quotes, transfers }: Pick<PaymentAggregate, 'payment' | 'quotes' | 'transfers'>,
  prices: ReadonlyMap<string, StoredPrice[]>,
): ReceiptRate[] {
  const used = new Set(transfers.map(({ quoteId }) => quoteId));
  return quotes
    .filter(({ id }) => used.has(id))
    .map((quote) => ({
      quoteId: quote.id,
      base: quote.currencyCode,
      quote: payment.currencyCode,
      value: quote.rate,
      lockedAt: toIsoSeconds(quote.lockedAt),
      kind: kindOf(quote),
      method: quote.rateSource,
      prices: prices.get(quote.id) ?? [],
    }));
}

function kindOf({ isLate, acceptedTransferId }: Quote): ReceiptRate['kind'] {
  if (acceptedTransferId !== null) return 'accepted';
  return isLate ? 'late' : 'locked';
}
