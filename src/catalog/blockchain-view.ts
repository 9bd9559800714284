import type { Chain } from '../chains/chain-catalogue.js';

/** A chain that the gateway knows, and whether this installation watches it. */
export interface CatalogChain {
  chain: Chain;
  enabled: boolean;
}

/** One blockchain on the wire (api.md F3). */
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
  averageBlockSeconds: number;
  /** For checking what somebody typed; whether an address is right, its checksum tells. */
  addressRegex: string;
  /** `{txHash}` is to be replaced; null where no public explorer knows the chain. */
  explorerTxUrl: string | null;
}

/** How addresses of a family are written. */
const ADDRESS_REGEX: Readonly<Record<Chain['family'], string>> = { evm: '^0x[0-9a-fA-F]{40}$' };

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
    averageBlockSeconds: chain.averageBlockSeconds,
    addressRegex: ADDRESS_REGEX[chain.family],
    explorerTxUrl: chain.explorerTxUrl,
  };
}
