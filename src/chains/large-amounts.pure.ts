import type { ChainAsset } from './chain.pure.js';

/** In whole coins, as the operator writes it; `amount` is a plain decimal. */
export interface CoinAmount {
  code: string;
  amount: string;
}

/**
 * From these amounts on, one node's word is not enough unless the operator says otherwise: about 1,000 US dollars, in
 * coins, so that no exchange rate is involved (docs/reference/configuration.md).
 */
const LARGE: readonly CoinAmount[] = [
  { code: 'USDT', amount: '1000' },
  { code: 'USDC', amount: '1000' },
  { code: 'ETH', amount: '0.4' },
  { code: 'BNB', amount: '1.5' },
  { code: 'POL', amount: '4000' },
  { code: 'AVAX', amount: '50' },
];

/** The default amounts of a chain's assets; an asset that is not in the list has none. */
export function defaultLargeAmounts(assets: readonly Pick<ChainAsset, 'currencyCode'>[]): CoinAmount[] {
  return LARGE.filter(({ code }) => assets.some(({ currencyCode }) => currencyCode === code));
}
