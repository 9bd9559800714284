import type { CurrencyContract, CurrencyNetworkContract } from './catalog.contract.js';
import { contractAddressOf } from '../chains/contract-address.pure.js';
import { floorOf } from '../chains/floors.pure.js';
import { presentAmount } from '../money/present-amount.js';
import { type Currency, getCurrency } from '../money/currencies.js';
import { maxUnits } from '../money/money.js';
import type { CatalogChain } from './blockchain-view.js';

export function presentCurrency(currency: Currency, chains: readonly CatalogChain[]): CurrencyContract {
  const { code, name, type, decimals, symbol } = currency;
  const networks = chains.flatMap((known) => networksOn(known, code));
  return {
    code,
    name,
    type,
    decimals,
    symbol,
    enabled: type === 'fiat' || networks.some(({ enabled }) => enabled),
    minAmount: presentAmount(1n, currency),
    maxAmount: presentAmount(maxUnits(decimals), currency),
    networks,
  };
}

function networksOn({ chain, enabled }: CatalogChain, code: string): CurrencyNetworkContract[] {
  return chain.assets
    .filter(({ currencyCode }) => currencyCode === code)
    .map(({ asset, tokenStandard, decimals }) => ({
      blockchain: chain.slug,
      provider: chain.slug,
      method: code.toLowerCase(),
      tokenStandard,
      contractAddress: contractAddressOf(chain.family, asset),
      decimals,
      floor: presentAmount(floorOf(chain, { asset }), { ...getCurrency(code), decimals }),
      enabled,
    }));
}
