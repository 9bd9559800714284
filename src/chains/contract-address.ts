import { parseEvmAddress, toChecksumAddress } from './evm/evm-address.js';

/**
 * A contract as explorers and wallets show it (EIP-55); null for the native coin.
 * @param asset as the chain catalogue has it
 */
export function contractAddressOf(asset: string): string | null {
  if (asset === 'native') return null;
  const bytes = parseEvmAddress(asset);
  if (!bytes) throw new Error('not a contract address');
  return toChecksumAddress(bytes);
}
