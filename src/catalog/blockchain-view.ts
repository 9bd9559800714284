import type { BlockchainContract } from './catalog.contract.js';
import type { Chain } from '../chains/chain.pure.js';
import type { ChainStatus } from '../chains/chain-health.service.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { confirmationBounds, usualWait } from '../chains/required-confirmations.pure.js';
import { presentAmount } from '../money/present-amount.js';
import { getCurrency } from '../money/currencies.js';
import { networkState } from './network-state.pure.js';

/** A chain that the gateway knows, and whether this installation watches it. */
export interface CatalogChain {
  chain: Chain;
  enabled: boolean;
}

/** @param health null: the gateway does not watch it */
export function presentBlockchain(
  { chain, enabled }: CatalogChain,
  health: ChainStatus | null,
): BlockchainContract {
  const native = chain.assets.find(({ asset }) => asset === 'native');
  if (!native) throw new Error(`the chain "${chain.slug}" has no native coin`);
  return {
    slug: chain.slug,
    name: chain.name,
    nativeCurrencyCode: native.currencyCode,
    chainId: chain.chainId,
    family: chain.family,
    testnet: chain.testnet,
    enabled,
    state: networkState(health),
    confirmationsRequired: chain.confirmationsRequired,
    confirmationTiers: tiersOf(chain),
    confirmationBounds: confirmationBounds(chain),
    averageBlockSeconds: chain.averageBlockSeconds,
    addressRegex: familyOf(chain.family).addresses.pattern(chain.network),
    explorerTxUrl: chain.explorerTxUrl,
  };
}

function tiersOf(chain: Chain): BlockchainContract['confirmationTiers'] {
  return chain.assets.flatMap(({ asset, currencyCode, decimals }) =>
    (chain.confirmationTiers?.get(asset) ?? []).map(({ from, confirmations, finality }) => ({
      currencyCode,
      amount: presentAmount(from, { ...getCurrency(currencyCode), decimals }),
      confirmations: usualWait(chain, {
        confirmations: Math.max(confirmations, chain.confirmationsRequired),
        finality,
      }),
      finality,
    })),
  );
}
