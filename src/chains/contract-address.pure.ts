import type { AddressFamily, ChainAsset } from './chain.pure.js';
import { familyOf } from './chain-families.pure.js';
import { parseEvmAddress } from './evm/evm-address.pure.js';
import type { TokenContract } from './token.contract.js';

/**
 * A contract as explorers and wallets show it (EIP-55; base58check on Tron); null for the native coin.
 * @param asset as in the chain catalog
 */
export function contractAddressOf(family: AddressFamily, asset: string): string | null {
  if (asset === 'native') return null;
  const bytes = parseEvmAddress(asset);
  const codec = familyOf(family).contracts;
  if (!bytes || !codec) throw new Error('not a contract address');
  return codec.format(bytes);
}

/** The token contract of an asset, as the API shows it; null for the native coin. */
export function tokenOf(
  family: AddressFamily,
  { asset, tokenStandard, decimals }: Pick<ChainAsset, 'asset' | 'tokenStandard' | 'decimals'>,
): TokenContract | null {
  const contractAddress = contractAddressOf(family, asset);
  return tokenStandard && contractAddress ? { standard: tokenStandard, contractAddress, decimals } : null;
}

/** Converts a contract from the chain's spelling to that of the chain catalog; null if it is not an address of the family. */
export function findContractAsset(family: AddressFamily, text: string): string | null {
  const bytes = familyOf(family).contracts?.parse(text) ?? null;
  return bytes && `0x${bytes.toString('hex')}`;
}

/** @throws Error when the text is not an address of the family */
export function contractAsset(family: AddressFamily, text: string): string {
  const asset = findContractAsset(family, text);
  if (asset === null) throw new Error(`not a contract address: ${text}`);
  return asset;
}
