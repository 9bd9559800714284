import type { Config } from '../../config.js';
import type { PaymentAggregate } from '../payment.pure.js';
import { settle, type Settlement } from '../quotes/settlement.pure.js';

/** The sums of a payment's transfers under the operator's tolerances. */
export function fundsOf(
  { payment, transfers, quotes }: Pick<PaymentAggregate, 'payment' | 'transfers' | 'quotes'>,
  config: Pick<Config, 'underpayToleranceBps' | 'underpayAcceptMinBps'>,
): Settlement {
  return settle(payment.amount, transfers, quotes, {
    toleranceBps: config.underpayToleranceBps,
    acceptMinBps: config.underpayAcceptMinBps,
  });
}
