import { contractAddressOf } from '../chains/contract-address.pure.js';
import { type AmountDto, toAmountDto } from '../money/amount-dto.js';
import type { Currency } from '../money/currencies.js';
import { pow10 } from '../money/money.js';
import type { CatalogChain } from './blockchain-view.js';

/** One coin or token on one chain (specification/catalog.md#currencies). */
export interface NetworkDto {
  /** The chain's slug. */
  blockchain: string;
  /** The two segments of the instructions path (specification/checkout.md#instructions-path). */
  provider: string;
  method: string;
  /** "ERC-20", "BEP-20", "TRC-20"; null for the native coin. */
  tokenStandard: string | null;
  /** In EIP-55 spelling, or in base58check on Tron; null for the native coin. */
  contractAddress: string | null;
  /** This network's own, which may differ from the currency's. */
  decimals: number;
  enabled: boolean;
}

/** One currency on the wire (specification/catalog.md#currencies). */
export interface CurrencyDto {
  code: string;
  name: string;
  type: 'crypto' | 'fiat';
  decimals: number;
  symbol: string;
  /** Crypto: whether it can be paid here. Fiat: always, because prices may be in any. */
  enabled: boolean;
  /** The smallest and the largest amount of a payment priced in it (specification/money.md#bounds). */
  minAmount: AmountDto;
  maxAmount: AmountDto;
  /** Empty for fiat, and for coins of chains that the gateway does not know. */
  networks: NetworkDto[];
}

/** Whole units of any currency that one payment may ask for: 10^9 (specification/money.md#bounds). */
const MAX_WHOLE_DIGITS = 9;

export function toCurrencyDto(currency: Currency, chains: readonly CatalogChain[]): CurrencyDto {
  const { code, name, type, decimals, symbol } = currency;
  const networks = chains.flatMap((known) => networksOn(known, code));
  return {
    code,
    name,
    type,
    decimals,
    symbol,
    enabled: type === 'fiat' || networks.some(({ enabled }) => enabled),
    minAmount: toAmountDto(1n, currency),
    maxAmount: toAmountDto(pow10(MAX_WHOLE_DIGITS + decimals), currency),
    networks,
  };
}

function networksOn({ chain, enabled }: CatalogChain, code: string): NetworkDto[] {
  return chain.assets
    .filter(({ currencyCode }) => currencyCode === code)
    .map(({ asset, tokenStandard, decimals }) => ({
      blockchain: chain.slug,
      provider: chain.slug,
      method: code.toLowerCase(),
      tokenStandard,
      contractAddress: contractAddressOf(chain.family, asset),
      decimals,
      enabled,
    }));
}
