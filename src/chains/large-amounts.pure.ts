import { parseDecimal } from '../money/money.js';
import type { ChainAsset } from './chain.pure.js';

/** In whole coins, as the operator writes it; `amount` is a plain decimal. */
export interface CoinAmount {
  code: string;
  amount: string;
}

/**
 * From these amounts on, one node's word is not enough unless the operator says otherwise: about 1,000 US dollars, in
 * coins, so that no exchange rate is involved (docs/reference/configuration-chains.md).
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

/** By asset, in its smallest unit; null: none. */
export function readCoinAmounts(
  entries: readonly CoinAmount[],
  assets: readonly ChainAsset[],
): { from: ReadonlyMap<string, bigint> | null; problems: string[] } {
  const from = new Map<string, bigint>();
  const problems: string[] = [];
  for (const { code, amount } of entries) {
    const asset = assets.find(({ currencyCode }) => currencyCode === code);
    const places = amount.split('.')[1]?.length ?? 0;
    if (!asset) problems.push(`the chain has no ${code}`);
    else if (places > asset.decimals) problems.push(`${code} has ${asset.decimals} decimals here`);
    else if (from.has(asset.asset)) problems.push(`${code} is listed twice`);
    else from.set(asset.asset, parseDecimal(amount, asset.decimals));
  }
  return { from: from.size > 0 ? from : null, problems };
}
