import type { PaymentAggregate } from '../payments/payment.pure.js';
import { isLive } from '../payments/transfers/transfer-state.pure.js';

/**
 * The asset whose confirmations the customer sees: the asset of the method chosen last, unless funds count only in
 * another asset, from an earlier choice or because the merchant accepted them. Null: no method was chosen yet.
 */
export function followedAsset({
  payment,
  quotes,
  transfers,
}: Pick<PaymentAggregate, 'payment' | 'quotes' | 'transfers'>): { chain: string; asset: string } | null {
  const selected = quotes.findLast(
    ({ chain, currencyCode }) =>
      chain === payment.selectedProvider && currencyCode.toLowerCase() === payment.selectedMethod,
  );
  const live = transfers.filter((one) => one.isMatched && !one.isDust && isLive(one));
  const isPaid = live.some(({ chain, asset }) => chain === selected?.chain && asset === selected.asset);
  const followed = isPaid ? selected : (live.findLast(({ state }) => state === 'pending') ?? live.at(-1));
  const { chain, asset } = followed ?? selected ?? {};
  return chain === undefined || asset === undefined ? null : { chain, asset };
}
