import type { AmountContract } from '../money/amount.contract.js';
import { presentAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import type { PaymentAggregate, Transfer } from '../payments/payment.pure.js';
import { isUnmatched } from '../payments/transfers/transfer-acceptance.pure.js';

/** Funds that a payment did not ask for, and what it asked for instead (specification/payment-states.md#unmatched-funds). */
export interface UnmatchedFunds {
  /** Sums per coin and network; at least one. */
  arrived: { amount: AmountContract; network: string }[];
  /** Without repetitions; empty: nothing was asked for yet. */
  requested: { code: string; network: string }[];
}

/** @param nameOf the name of a network by its slug @returns null if there are none */
export function unmatchedFunds(
  { transfers, quotes }: Pick<PaymentAggregate, 'transfers' | 'quotes'>,
  nameOf: (chain: string) => string,
): UnmatchedFunds | null {
  const sums = new Map<string, Transfer>();
  for (const transfer of transfers.filter(isUnmatched)) {
    const key = `${transfer.chain}|${transfer.asset}`;
    const before = sums.get(key)?.amount ?? 0n;
    sums.set(key, { ...transfer, amount: before + transfer.amount });
  }
  if (sums.size === 0) return null;
  const arrived = [...sums.values()].map(({ chain, currencyCode, assetDecimals, amount }) => {
    const currency = { ...getCurrency(currencyCode), decimals: assetDecimals };
    return { amount: presentAmount(amount, currency), network: nameOf(chain) };
  });
  const requested = new Map(
    quotes
      .filter(({ acceptedTransferId }) => acceptedTransferId === null)
      .map(({ chain, currencyCode }) => [
        `${currencyCode}|${chain}`,
        { code: currencyCode, network: nameOf(chain) },
      ]),
  );
  return { arrived, requested: [...requested.values()] };
}

/** One English sentence about it for programs; the page has it in the customer's language (page/screen.ts). */
export function describeUnmatched({ arrived, requested }: UnmatchedFunds): string {
  const funds = arrived.map(({ amount, network }) => `${amount.formatted} on ${network}`).join(' and ');
  if (requested.length === 0) return `${funds} arrived, which this payment did not ask for.`;
  const wanted = requested.map(({ code, network }) => `${code} on ${network}`).join(' or ');
  return `${funds} arrived, but this payment asks for ${wanted}.`;
}
