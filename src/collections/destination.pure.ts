import type { Chain } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import type { AddressDefect, ChainAddress } from '../chains/chain-family.pure.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { secretProblem } from '../wallets/pasted-secret.pure.js';

const DEFECTS: Readonly<Record<AddressDefect, string>> = {
  malformed: 'must be an address of the network',
  checksum: 'must be spelled exactly as the wallet shows it: its checksum is wrong',
  unspendable: 'must be an address that has an owner; funds sent to this one are lost',
};

/**
 * An address of the merchant's that a transaction pays.
 * @throws ValidationError, which never repeats the text: it may be a secret
 */
export function readDestination(
  { family, network, name }: Pick<Chain, 'family' | 'network' | 'name'>,
  text: string,
  field = 'destination',
): ChainAddress {
  const trimmed = text.trim();
  if (secretProblem(trimmed) !== null)
    throw refused(
      field,
      'must be an address, not a private key or a recovery phrase; never enter those here',
    );
  const read = familyOf(family).addresses.parse(trimmed, network);
  if (typeof read !== 'string') return read;
  const where = read === 'malformed' ? ` ${name} (${network ?? 'mainnet'})` : '';
  throw refused(field, `${DEFECTS[read]}${where}`);
}

export function refused(field: string, problem: string): ValidationError {
  return ValidationError.of(field, `The ${field} field ${problem}.`);
}
