import type { Chain, ChainAsset } from '../chains/chain.pure.js';
import { minTransferAmount } from '../chains/dust-limit.pure.js';
import { type Currency, getCurrency } from '../money/currencies.js';
import type { QuotedAsset } from '../payments/quotes/quotes.service.js';
import type { BlockchainSummaryContract } from './payment-methods.contract.js';

/** One currency on one chain that a payment may be paid with. */
export interface PaymentMethod {
  chain: Chain;
  asset: ChainAsset;
  /**
   * The chain's slug and the currency's code in lower case, as in the instructions path
   * (specification/checkout.md#instructions-path).
   */
  provider: string;
  method: string;
}

/** The asset's currency, counted in the network's decimals (specification/money.md#currency-of-an-amount). */
export function assetCurrency(asset: Pick<ChainAsset, 'currencyCode' | 'decimals'>): Currency {
  return { ...getCurrency(asset.currencyCode), decimals: asset.decimals };
}

/** The asset as a quote names it. */
export function toQuotedAsset({ chain, asset }: PaymentMethod): QuotedAsset {
  return {
    chain: chain.slug,
    asset: asset.asset,
    currencyCode: asset.currencyCode,
    decimals: asset.decimals,
  };
}

/** `blockchain` of instructions and methods. */
export function toBlockchainSummary({ slug, name, chainId, testnet }: Chain): BlockchainSummaryContract {
  return { slug, name, chainId, testnet };
}

/**
 * The smallest amount that a quote can request: the smallest transfer (specification/chains.md#smallest-transfers), and
 * at least the unit that quotes are rounded up to (specification/money.md#rounding).
 */
export function minQuotableAmount({
  chain,
  asset,
}: {
  chain: Pick<Chain, 'dustLimit'>;
  asset: Pick<ChainAsset, 'asset' | 'decimals'>;
}): bigint {
  const roundingUnit = 10n ** BigInt(Math.max(0, asset.decimals - 8));
  const smallestTransfer = minTransferAmount(chain, asset);
  return smallestTransfer > roundingUnit ? smallestTransfer : roundingUnit;
}
