import type { ScriptType } from '../chains/chain-family.pure.js';
import { type KeyOrigin, refused } from './extended-public-key.pure.js';

/** The parts of an output descriptor (BIP380) of an account's receiving addresses. */
export interface OutputDescriptor {
  scriptType: ScriptType;
  /** The extended key inside, as text. */
  key: string;
  /** Null for a descriptor without one. */
  origin: KeyOrigin | null;
}

const INPUT_CHARSET =
  '0123456789()[],\'/*abcdefgh@:$%{}IJKLMNOPQRSTUVWXYZ&+-.;<=>?!^_|~ijklmnopqrstuvwxyzABCDEFGH`#"\\ ';
const CHECKSUM_CHARSET = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l';
const GENERATORS = [0xf5dee51989n, 0xa9fdca3312n, 0x1bab10e32dn, 0x3706b1677an, 0x644d626ffdn];
const LOW_BITS = (1n << 35n) - 1n;

/** The text before and after the key in descriptors of one key. */
const FORMS: readonly (readonly [opening: string, closing: string, scriptType: ScriptType])[] = [
  ['pkh(', ')', 'p2pkh'],
  ['sh(wpkh(', '))', 'p2sh-p2wpkh'],
  ['wpkh(', ')', 'p2wpkh'],
  ['tr(', ')', 'p2tr'],
];
/** An optional origin, the key, and its receiving branch: alone, or together with the change branch (BIP389). */
const KEY = /^(?:\[([0-9a-fA-F]{8})((?:\/\d+['hH])*)\])?([1-9A-HJ-NP-Za-km-z]+)\/(?:0|<0;1>)\/\*$/;

/** Whether a text has the form of a descriptor, valid or not. */
export function looksLikeDescriptor(text: string): boolean {
  return /^[a-z]+\(/.test(text);
}

/** @throws ExtendedKeyError */
export function parseDescriptor(text: string): OutputDescriptor {
  const [body = '', checksum, ...more] = text.split('#');
  if (checksum === undefined || more.length > 0 || descriptorChecksum(body) !== checksum) {
    throw refused(
      'descriptor',
      'must be a descriptor with its checksum (# and 8 characters), and the checksum must match',
    );
  }
  const form = FORMS.find(([opening, closing]) => body.startsWith(opening) && body.endsWith(closing));
  if (!form) throw refused('descriptor', 'must be a descriptor of one key: pkh, sh(wpkh), wpkh or tr');
  const [opening, closing, scriptType] = form;
  const [, fingerprint, path = '', key] = KEY.exec(body.slice(opening.length, -closing.length)) ?? [];
  if (key === undefined) {
    throw refused(
      'descriptor',
      'must be a descriptor of one account key with the receiving branch behind it (…/0/*)',
    );
  }
  if (fingerprint === undefined) return { scriptType, key, origin: null };
  const steps = path.split('/').slice(1);
  const origin = {
    fingerprint: fingerprint.toLowerCase(),
    path: steps.map((step) => `${step.slice(0, -1)}h`),
  };
  return { scriptType, key, origin };
}

/** The descriptor of an account's receiving addresses, with its checksum. */
export function writeDescriptor(scriptType: ScriptType, key: string, origin: KeyOrigin | null): string {
  const form = FORMS.find(([, , known]) => known === scriptType);
  if (!form) throw new Error(`no descriptor for ${scriptType}`);
  const from = origin ? `[${[origin.fingerprint, ...origin.path].join('/')}]` : '';
  const body = `${form[0]}${from}${key}/0/*${form[1]}`;
  const checksum = descriptorChecksum(body);
  if (checksum === null) throw new Error('a descriptor of unknown characters');
  return `${body}#${checksum}`;
}

/** The 8-character checksum of BIP380; null if the text has characters outside of its set. */
export function descriptorChecksum(body: string): string | null {
  const symbols: number[] = [];
  let groups: number[] = [];
  for (const character of body) {
    const position = INPUT_CHARSET.indexOf(character);
    if (position < 0) return null;
    symbols.push(position & 31);
    groups.push(position >> 5);
    if (groups.length === 3) {
      symbols.push(groups.reduce((sum, group) => sum * 3 + group, 0));
      groups = [];
    }
  }
  if (groups.length > 0) symbols.push(groups.reduce((sum, group) => sum * 3 + group, 0));
  const sum = polymod([...symbols, ...Array<number>(8).fill(0)]) ^ 1n;
  return Array.from(
    { length: 8 },
    (_, i) => CHECKSUM_CHARSET[Number((sum >> BigInt(5 * (7 - i))) & 31n)],
  ).join('');
}

function polymod(symbols: readonly number[]): bigint {
  let sum = 1n;
  for (const symbol of symbols) {
    const top = sum >> 35n;
    sum = ((sum & LOW_BITS) << 5n) ^ BigInt(symbol);
    for (const [i, generator] of GENERATORS.entries()) if ((top >> BigInt(i)) & 1n) sum ^= generator;
  }
  return sum;
}
