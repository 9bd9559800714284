import type { AmountContract } from '../../money/amount.contract.js';
import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import type { CheckoutStatusContract } from '../checkout.contract.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';

export type SumName = 'price' | 'received' | 'confirming' | 'rest';

/** A line of the table of a payment that is short: one currency in each column. */
export interface SumRow {
  name: SumName;
  /** Null: it cannot be said in the coin. */
  coin: AmountContract | null;
  price: AmountContract;
}

type Status = Pick<CheckoutStatusContract, 'amount' | 'receivedAmount' | 'remainingAmount'>;
type Coins = Pick<
  PaymentInstructionsContract,
  'amount' | 'receivedAmount' | 'pendingAmount' | 'remainingAmount'
>;

/** @param coins null: there are no instructions, as after the end of the link */
export function shortSums(status: Status, coins: Coins | null): SumRow[] {
  const { amount, receivedAmount, remainingAmount } = status;
  const pending = amount.amount - receivedAmount.amount - remainingAmount.amount;
  const inCoin = coins !== null && addsUp(status, coins) ? coins : null;
  const rows: SumRow[] = [
    { name: 'price', coin: inCoin && inCoin.amount, price: amount },
    { name: 'received', coin: inCoin && inCoin.receivedAmount, price: receivedAmount },
    {
      name: 'confirming',
      coin: inCoin && inCoin.pendingAmount,
      price: presentAmount(pending, getCurrency(amount.currency.code)),
    },
    { name: 'rest', coin: inCoin && inCoin.remainingAmount, price: remainingAmount },
  ];
  return rows.filter(({ name, price }) => name === 'price' || name === 'rest' || price.amount > 0n);
}

/**
 * Whether all of it is in this coin and at this rate: what came in another coin, or was valued by another rate, would make
 * the column wrong. Amounts are worth whole units of the price's currency.
 */
function addsUp({ amount }: Status, coins: Coins): boolean {
  if (amount.currency.code === coins.amount.currency.code) return false;
  const { receivedAmount, pendingAmount, remainingAmount } = coins;
  const difference =
    coins.amount.amount - receivedAmount.amount - pendingAmount.amount - remainingAmount.amount;
  const unit = coins.amount.amount / amount.amount + 1n;
  return difference <= unit && difference >= -unit;
}

/** Of 1,000: for a drawn bar. */
export function shareOf(part: AmountContract, whole: AmountContract): number {
  return whole.amount === 0n ? 0 : Number((part.amount * 1_000n) / whole.amount);
}
