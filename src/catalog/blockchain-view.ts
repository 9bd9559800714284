import type { Chain } from '../chains/chain-catalog.pure.js';
import { confirmationBounds } from '../chains/required-confirmations.pure.js';
import { isUtxoNetwork, utxoTraits } from '../chains/utxo/utxo-network.pure.js';
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
  /** What an application may ask for; null: nothing, see required-confirmations.pure.ts. */
  confirmationBounds: { min: number; max: number } | null;
  averageBlockSeconds: number;
  /** For checking what somebody typed; whether an address is right, its checksum tells. */
  addressRegex: string;
  /** `{txHash}` is to be replaced; null where no public explorer knows the chain. */
  explorerTxUrl: string | null;
}

const EVM_ADDRESS = '^0x[0-9a-fA-F]{40}$';
/** Base58check of 0x41 and 20 bytes. */
const TRON_ADDRESS = '^T[1-9A-HJ-NP-Za-km-z]{33}$';
/** Base58check of 21 bytes. */
const BASE58_ADDRESS = '[1-9A-HJ-NP-Za-km-z]{26,35}';
/** What follows the human-readable part and its separator: BIP173, and the cash address specification. */
const BECH32_DATA = '[02-9ac-hj-np-z]';

/** How addresses of a chain are written on its network. */
function addressRegex({ family, network }: Chain): string {
  if (family === 'evm') return EVM_ADDRESS;
  if (family === 'tron') return TRON_ADDRESS;
  const { bech32 } = utxoTraits(family).networks[network && isUtxoNetwork(network) ? network : 'mainnet'];
  if (bech32 === null) return `^${BASE58_ADDRESS}$`;
  if (family === 'bitcoincash') return `^(?:${bech32}:)?(?:${BECH32_DATA}{42}|${BECH32_DATA}{61})$`;
  return `^(?:${BASE58_ADDRESS}|${bech32}1${BECH32_DATA}{38,59})$`;
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
    addressRegex: addressRegex(chain),
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
