import type { Chain } from '../chains/chain.pure.js';
import type { AddressDefect } from '../chains/chain-family.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import { ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { secretProblem } from '../wallets/pasted-secret.pure.js';

/** The address that receives a refund: as it is displayed, and as transactions are matched on it. */
export interface PayoutAddress {
  address: string;
  key: Buffer;
}

/** The problem of a text that should be an address; never repeats the text, which may be a secret. */
export type AddressProblem = AddressDefect | 'secret' | 'token_contract';

/** Sentences without a subject, for fields of the API. The page has its own (page/claim-screens.ts). */
export const ADDRESS_PROBLEMS: Record<AddressProblem | 'own_address', string> = {
  secret:
    'must be an address, not a private key or a recovery phrase; whoever has those can spend the funds, so never enter them anywhere but in the wallet',
  malformed:
    'must be a valid address of the network that the refund is paid on, complete and without spaces; names and addresses of other networks are not accepted',
  checksum:
    'must be spelled exactly as the wallet shows it: its checksum is wrong, so a character may be mistyped',
  unspendable: 'must be an address that has an owner; funds sent to this one are lost',
  token_contract: 'must be the address of a wallet, not the contract of a token; funds sent there are lost',
  own_address: 'must not be an address on which the shop receives payments',
};

/** 422 on the field `address`; never repeats the entered text. */
export class PayoutAddressError extends ValidationError {
  constructor(readonly problem: keyof typeof ADDRESS_PROBLEMS) {
    super({ address: [`The address field ${ADDRESS_PROBLEMS[problem]}.`] });
  }
}

/** Parses an address of a chain. The caller checks that it is not a deposit address of this gateway. */
export function readPayoutAddress(
  chain: Pick<Chain, 'family' | 'assets' | 'network'>,
  text: string,
): PayoutAddress | { problem: AddressProblem } {
  const trimmed = text.trim();
  if (secretProblem(trimmed) !== null) return { problem: 'secret' };
  const read = familyOf(chain.family).addresses.parse(trimmed, chain.network);
  if (typeof read === 'string') return { problem: read };
  const isContract = chain.assets.some(({ asset }) => asset === `0x${read.key.toString('hex')}`);
  return isContract ? { problem: 'token_contract' } : read;
}

/** Returns a transaction hash in the canonical spelling of its chain, or null. */
export function parseTransactionHash({ family }: Pick<Chain, 'family'>, text: string): string | null {
  return familyOf(family).parseTransactionHash(text);
}
