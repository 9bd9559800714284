import type { AmountContract } from '../../money/amount.contract.js';
import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';

/** What several transfers come to, coin by coin, in the order in which the coins came: amounts of two coins have no sum. */
export function addedUp(transfers: readonly { amount: AmountContract }[]): AmountContract[] {
  const sums = new Map<string, AmountContract>();
  for (const { amount } of transfers) {
    const { code } = amount.currency;
    // The same coin has other decimals on another network.
    const key = `${code}|${amount.decimals}`;
    const before = sums.get(key);
    const currency = { ...getCurrency(code), decimals: amount.decimals };
    sums.set(key, before ? presentAmount(before.amount + amount.amount, currency) : amount);
  }
  return [...sums.values()];
}
