import { presentAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import type { PaymentAggregate, Transfer } from '../payments/payment.pure.js';
import { isUnmatched } from '../payments/transfer-acceptance.pure.js';

/**
 * One sentence for customers about unmatched funds and what was requested instead
 * (specification/payment-states.md#unmatched-funds); null without any. Sums are per coin and network.
 * @param nameOf the name of a network by its slug
 */
export function describeUnmatched(
  { transfers, quotes }: Pick<PaymentAggregate, 'transfers' | 'quotes'>,
  nameOf: (chain: string) => string,
): string | null {
  const sums = new Map<string, Transfer>();
  for (const transfer of transfers.filter(isUnmatched)) {
    const key = `${transfer.chain}|${transfer.asset}`;
    const before = sums.get(key)?.amount ?? 0n;
    sums.set(key, { ...transfer, amount: before + transfer.amount });
  }
  if (sums.size === 0) return null;
  const arrived = [...sums.values()].map(({ chain, currencyCode, assetDecimals, amount }) => {
    const currency = { ...getCurrency(currencyCode), decimals: assetDecimals };
    return `${presentAmount(amount, currency).formatted} on ${nameOf(chain)}`;
  });
  const requested = quotes
    .filter(({ acceptedTransferId }) => acceptedTransferId === null)
    .map(({ chain, currencyCode }) => `${currencyCode} on ${nameOf(chain)}`);
  const reason =
    requested.length > 0
      ? `but this payment asks for ${[...new Set(requested)].join(' or ')}`
      : 'which this payment did not ask for';
  return `${arrived.join(' and ')} arrived, ${reason}.`;
}
