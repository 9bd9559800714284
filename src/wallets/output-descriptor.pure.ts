import { HARDENED_OFFSET } from '@scure/bip32';
import type { ScriptType } from '../chains/chain-family.pure.js';
import type { KeyOrigin } from './key-origin.pure.js';
import { refused } from './key-refusal.pure.js';

/** A key with its origin, as descriptors write it (BIP380). */
export interface KeyExpression {
  /** The extended key, as text. */
  key: string;
  /** Null for an expression without one. */
  origin: KeyOrigin | null;
}

/** The parts of an output descriptor (BIP380) of an account's receiving addresses. */
export interface OutputDescriptor extends KeyExpression {
  scriptType: ScriptType;
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
/** An optional origin, the key, and what stands behind it. */
const KEY = /^(?:\[([0-9a-fA-F]{8})((?:\/\d{1,10}['hH]?)*)\])?([1-9A-HJ-NP-Za-km-z]{100,120})(\/.*)?$/;
/** The receiving branch: alone, or together with the change branch (BIP389; `/**` in wallet policies, BIP388). */
const RECEIVING = ['/0/*', '/<0;1>/*', '/**'];

/** Whether a text has the form of a descriptor, valid or not. */
export function looksLikeDescriptor(text: string): boolean {
  return /^[a-z]+\(/.test(text);
}

/** Without its checksum a descriptor is accepted, as wallets show it; a checksum that does not match is a typo. @throws ExtendedKeyError */
export function parseDescriptor(text: string): OutputDescriptor {
  const [body = '', checksum, ...more] = text.split('#');
  if (more.length > 0 || (checksum !== undefined && descriptorChecksum(body) !== checksum))
    throw refused('typo', 'must be a descriptor whose checksum (# and 8 characters) matches');
  if (/\b(?:sorted)?multi(?:_a)?\(/.test(body))
    throw refused('signers', 'must be the descriptor of a wallet with one signer: this one is of several');
  const form = FORMS.find(([opening, closing]) => body.startsWith(opening) && body.endsWith(closing));
  if (!form) throw refused('descriptor', 'must be a descriptor of one key: pkh, sh(wpkh), wpkh or tr');
  const [opening, closing, scriptType] = form;
  const expression = findKeyExpression(body.slice(opening.length, -closing.length));
  if (!expression?.isReceiving) {
    throw refused(
      'descriptor',
      'must be a descriptor of one account key with the receiving branch behind it (…/0/*)',
    );
  }
  return { scriptType, key: expression.key, origin: expression.origin };
}

/** Null: the text has another form. `isReceiving`: the receiving branch follows; null: nothing does. */
export function findKeyExpression(text: string): (KeyExpression & { isReceiving: boolean | null }) | null {
  const [, fingerprint, path = '', key, branch] = KEY.exec(text) ?? [];
  if (key === undefined) return null;
  const isReceiving = branch === undefined ? null : RECEIVING.includes(branch);
  if (fingerprint === undefined) return { key, origin: null, isReceiving };
  const steps = findSteps(path.slice(1));
  return steps && { key, origin: { fingerprint: fingerprint.toLowerCase(), path: steps }, isReceiving };
}

/** The steps of a path, as in `m/84'/0'/0'` or `84h/0h/0h`; `m` has none. Null: it is not a path. */
export function findSteps(path: string): string[] | null {
  const steps = path.split('/').filter((step, at) => !(at === 0 && (step === 'm' || step === '')));
  const read = steps.map((step) => /^(\d{1,10})(['hH]?)$/.exec(step));
  const isStep = (match: RegExpExecArray | null) => match !== null && Number(match[1]) < HARDENED_OFFSET;
  return read.every(isStep)
    ? read.map((match) => `${Number(match?.[1])}${match?.[2] === '' ? '' : 'h'}`)
    : null;
}

/** As descriptors and QR codes of wallets have it: `[73c5da0a/84h/0h/0h]xpub…`. */
export function writeKeyExpression({ key, origin }: KeyExpression): string {
  return origin ? `[${[origin.fingerprint, ...origin.path].join('/')}]${key}` : key;
}

/** The descriptor of an account's receiving addresses, with its checksum. */
export function writeDescriptor(scriptType: ScriptType, key: string, origin: KeyOrigin | null): string {
  const form = FORMS.find(([, , known]) => known === scriptType);
  if (!form) throw new Error(`no descriptor for ${scriptType}`);
  const body = `${form[0]}${writeKeyExpression({ key, origin })}/0/*${form[1]}`;
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
