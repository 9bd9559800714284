import type { Payment, Refund } from '../api/operations.js';
import type { Texts } from '../i18n/text.js';

/** What has arrived of the price. */
export function receivedOfPrice({ receivedAmount, amount }: Payment, { money, text }: Texts): string {
  return text('dialog.part', { part: money(receivedAmount), whole: money(amount) });
}

export function priceOf({ amount }: Payment, { money }: Texts): string {
  return money(amount);
}

/** A transfer in its coin, and the price that it counts for. */
export function transferOf(transferId: string) {
  return ({ transactions, amount }: Payment, { money, text }: Texts): string | null => {
    const transfer = transactions.find(({ id }) => id === transferId);
    return transfer ? text('dialog.part', { part: money(transfer.amount), whole: money(amount) }) : null;
  };
}

/** What is given back, in the currency of the order and in the coin; a transfer that came as another coin, in the coin alone. */
export function refundWhat({ amount, payoutAmount }: Refund, money: Texts['money']): string {
  const both = [...(amount && amount.atomic !== '0' ? [amount] : []), payoutAmount].map(money);
  return [...new Set(both)].join(' = ');
}
