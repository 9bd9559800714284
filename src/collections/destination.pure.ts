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
 * The address that everything is gathered on.
 * @throws ValidationError, which never repeats the text: it may be a secret
 */
export function readDestination(
  { family, network, name }: Pick<Chain, 'family' | 'network' | 'name'>,
  text: string,
): ChainAddress {
  const trimmed = text.trim();
  if (secretProblem(trimmed) !== null)
    throw refused('must be an address, not a private key or a recovery phrase; never enter those here');
  const read = familyOf(family).addresses.parse(trimmed, network);
  if (typeof read !== 'string') return read;
  const where = read === 'malformed' ? ` ${name} (${network ?? 'mainnet'})` : '';
  throw refused(`${DEFECTS[read]}${where}`);
}

export function refused(problem: string): ValidationError {
  return ValidationError.of('destination', `The destination field ${problem}.`);
}
