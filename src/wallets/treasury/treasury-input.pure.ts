import { parseEvmAddress, toChecksumAddress } from '../../chains/evm/evm-address.pure.js';
import { secretIn, withoutMarks } from '../pasted-secret.pure.js';
import { COLLECTOR_FACTORY, DEPLOYMENT_PROXY } from './treasury-address.pure.js';

/** Why a text is no address that all money may go to, for whoever says it in another language than ours. */
export type TreasuryRefusal =
  | 'secret'
  | 'seed-words'
  | 'key'
  | 'name'
  | 'tron'
  | 'length'
  | 'form'
  | 'checksum'
  | 'zero'
  | 'precompile'
  | 'burn'
  | 'factory';

/** Continues a sentence about the field, and never contains a part of the refused text. */
export const TREASURY_REFUSALS: Readonly<Record<TreasuryRefusal, string>> = {
  secret:
    'must be an address (0x and 40 digits): a private key and the hash of a transaction have 64; whoever has a private key can spend the funds, so never enter it anywhere but in the wallet',
  'seed-words':
    'must be an address (0x and 40 digits), not a recovery phrase; whoever has the phrase can spend the funds, so never enter it anywhere but in the wallet',
  key: 'must be an address (0x and 40 digits): an extended public key belongs into extendedPublicKey',
  name: 'must be an address (0x and 40 digits), not a name: whoever owns a name later would get the money',
  tron: 'must be an address of an EVM chain (0x and 40 digits): this one looks like an address of Tron',
  length: 'must be an address: 0x and exactly 40 digits',
  form: 'must be an address: 0x and 40 hexadecimal digits',
  checksum:
    'is mistyped: the upper and lower case of its letters is its checksum, and does not match (EIP-55)',
  zero: 'must be an address of yours: nobody owns the zero address',
  precompile: 'must be an address of yours: this one belongs to the blockchain itself',
  burn: 'must be an address of yours: what is sent to this one is burnt',
  factory: 'must be an address of yours: this one is the contract that collects',
};

/** Precompiled contracts (EIP-1352). */
const PRECOMPILE = /^0{36}/;
const CONTRACTS = [COLLECTOR_FACTORY, DEPLOYMENT_PROXY].map((address) => address.toLowerCase());
const BURN = '000000000000000000000000000000000000dead';

/**
 * Reads an address as wallets copy it: with spaces or quotes around it, and behind the short name of a chain, as Safe has
 * it (`eth:0x…`), or in a link (`ethereum:0x…@1`).
 */
export function readTreasuryAddress(input: string): { key: Buffer; address: string } | TreasuryRefusal {
  const secret = secretIn(input);
  if (secret !== null) return secret === 'private-key' ? 'secret' : 'seed-words';
  const text = withoutMarks(input)
    .replaceAll(/\s/g, '')
    .replace(/^[a-z][a-z0-9-]*:(?:pay-)?(?=0x)/i, '')
    .replace(/^0X/, '0x')
    .replace(/@(?:\d+|0x[0-9a-f]+)$/i, '');
  if (!/^0x[0-9a-f]{40}$/i.test(text)) return formOf(text);
  const key = parseEvmAddress(text);
  return key ? (reservedAs(key) ?? { key, address: toChecksumAddress(key) }) : 'checksum';
}

function formOf(text: string): TreasuryRefusal {
  if (/^0x[0-9a-f]*$/i.test(text) || /^[0-9a-f]{40}$/i.test(text)) return 'length';
  if (/(?:[xyztuvYZUV]pub|[LM]tub|dgub)[1-9A-HJ-NP-Za-km-z]{20}/.test(text)) return 'key';
  if (/^T[1-9A-HJ-NP-Za-km-z]{33}$/.test(text)) return 'tron';
  return /^[^\s/:@]+\.[a-z]{2,}$/i.test(text) ? 'name' : 'form';
}

function reservedAs(key: Buffer): TreasuryRefusal | null {
  const digits = key.toString('hex');
  if (/^0+$/.test(digits)) return 'zero';
  if (digits === BURN) return 'burn';
  if (PRECOMPILE.test(digits)) return 'precompile';
  return CONTRACTS.includes(`0x${digits}`) ? 'factory' : null;
}
