import { parseEvmAddress, toChecksumAddress } from '../../../src/chains/evm/evm-address.pure.js';
import type { Plan } from './plan.pure.js';

export class DestinationError extends Error {}

/** The address that everything goes to, with its checksum. @throws DestinationError */
export function readDestination(text: string, plan: Plan): string {
  if (!/^0x[0-9a-f]{40}$/i.test(text))
    throw new DestinationError('--to must be an address: 0x and 40 hexadecimal digits.');
  const key = parseEvmAddress(text);
  if (!key) throw new DestinationError('--to has a wrong checksum (EIP-55): a character may be mistyped.');
  // 0x0, precompiled contracts, and 0x…dEaD.
  if (key.subarray(0, 18).every((byte) => byte === 0))
    throw new DestinationError('--to is an address that nobody can spend from.');
  const address = toChecksumAddress(key);
  if (text !== address)
    throw new DestinationError('--to must be spelled with its checksum, as the wallet shows it (EIP-55).');
  const own = [plan.funding, ...plan.addresses].some((one) => one.address === address);
  if (own)
    throw new DestinationError('--to is an address of this plan: what arrives there would be a payment.');
  const tokens = plan.addresses.flatMap((one) => one.tokens.map(({ contract }) => contract));
  if (tokens.includes(address)) throw new DestinationError('--to is the contract of a token.');
  return address;
}
