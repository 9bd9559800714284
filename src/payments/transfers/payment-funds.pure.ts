import type { PaymentAggregate } from '../payment.pure.js';
import { settle, type Settlement } from '../quotes/settlement.pure.js';

/** The sums of a payment's transfers under its application's settings. */
export function fundsOf({
  payment,
  transfers,
  quotes,
  site,
}: Pick<PaymentAggregate, 'payment' | 'transfers' | 'quotes' | 'site'>): Settlement {
  return settle(payment.amount, transfers, quotes, site);
}
