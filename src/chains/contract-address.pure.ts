import { parseEvmAddress, toChecksumAddress } from './evm/evm-address.pure.js';
import { readTronAddress, toTronAddress } from './tron/tron-address.pure.js';

/**
 * A contract as explorers and wallets show it (EIP-55; base58check on Tron); null for the native coin.
 * @param asset as the chain catalog has it
 */
export function contractAddressOf(family: string, asset: string): string | null {
  if (asset === 'native') return null;
  const bytes = parseEvmAddress(asset);
  if (!bytes) throw new Error('not a contract address');
  return family === 'tron' ? toTronAddress(bytes) : toChecksumAddress(bytes);
}

/** A contract that somebody wrote, as the chain catalog has it; null when it is no address of the family. */
export function findContractAsset(family: string, text: string): string | null {
  const bytes = family === 'tron' ? readTronAddress(text) : parseEvmAddress(text);
  return Buffer.isBuffer(bytes) ? `0x${bytes.toString('hex')}` : null;
}

/** @throws Error when it is no address of the family */
export function contractAsset(family: string, text: string): string {
  const asset = findContractAsset(family, text);
  if (asset === null) throw new Error(`not a contract address: ${text}`);
  return asset;
}
