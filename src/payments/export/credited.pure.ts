import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import { isLive, type TransferState } from '../transfers/transfer-state.pure.js';

/** What decides the credit of a transfer in an export. */
export interface CreditedTransfer {
  state: TransferState;
  amount: bigint;
  pricingCode: string;
  pricedAmount: bigint;
  quotedAmount: bigint | null;
}

/** As `creditedAmount` of a transaction (PaymentPresenter), in the smallest unit of the pricing currency. */
export function creditedOf(transfer: CreditedTransfer): bigint {
  const { amount, pricedAmount, quotedAmount } = transfer;
  return quotedAmount !== null && isLive(transfer) ? (pricedAmount * amount) / quotedAmount : 0n;
}

/** The same in whole units. */
export function creditedDecimal(transfer: CreditedTransfer): string {
  return formatDecimal(creditedOf(transfer), getCurrency(transfer.pricingCode).decimals);
}
