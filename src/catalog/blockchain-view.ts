import type { Chain } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { confirmationBounds } from '../chains/required-confirmations.pure.js';
import { type AmountDto, toAmountDto } from '../money/amount-dto.js';
import { getCurrency } from '../money/currencies.js';

/** A chain that the gateway knows, and whether this installation watches it. */
export interface CatalogChain {
  chain: Chain;
  enabled: boolean;
}

/** One blockchain on the wire (specification/catalog.md#blockchains). */
export interface BlockchainDto {
  slug: string;
  name: string;
  nativeCurrencyCode: string;
  /** EIP-155; what a node of the chain must answer. */
  chainId: number | null;
  family: string;
  testnet: boolean;
  /** Whether payments can be made on it here. */
  enabled: boolean;
  /** Blocks, counting the one that holds the transfer. */
  confirmationsRequired: number;
  /** What large amounts wait for. */
  confirmationTiers: { currencyCode: string; amount: AmountDto; confirmations: number }[];
  /** What an application may configure; null where the chain decides. */
  confirmationBounds: { min: number; max: number } | null;
  averageBlockSeconds: number;
  /** For checking what somebody typed; whether an address is right, its checksum tells. */
  addressRegex: string;
  /** `{txHash}` is to be replaced; null where no public explorer knows the chain. */
  explorerTxUrl: string | null;
}

export function toBlockchainDto({ chain, enabled }: CatalogChain): BlockchainDto {
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
    confirmationsRequired: chain.confirmationsRequired,
    confirmationTiers: tiersOf(chain),
    confirmationBounds: confirmationBounds(chain),
    averageBlockSeconds: chain.averageBlockSeconds,
    addressRegex: familyOf(chain.family).addresses.pattern(chain.network),
    explorerTxUrl: chain.explorerTxUrl,
  };
}

function tiersOf({ assets, confirmationTiers }: Chain): BlockchainDto['confirmationTiers'] {
  return assets.flatMap(({ asset, currencyCode, decimals }) =>
    (confirmationTiers?.get(asset) ?? []).map(({ from, confirmations }) => ({
      currencyCode,
      amount: toAmountDto(from, { ...getCurrency(currencyCode), decimals }),
      confirmations,
    })),
  );
}
