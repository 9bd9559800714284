import type { ScriptType } from '../chains/chain-family.pure.js';
import { ExtendedKeyError, refused } from './key-refusal.pure.js';
import {
  findKeyExpression,
  findSteps,
  type KeyExpression,
  looksLikeDescriptor,
  parseDescriptor,
} from './output-descriptor.pure.js';
import { isObject, parseFile, secretProblem, withoutMarks } from './pasted-secret.pure.js';

/** A key as a wallet gave it, without what stood around it; neither its letters nor its origin are checked yet. */
export interface PastedAccount extends KeyExpression {
  /** What a descriptor or an export says; null: nothing does. */
  scriptType: ScriptType | null;
}

type File = Readonly<Record<string, unknown>>;

/** An EVM or Tron address, which is sometimes entered instead of a key. */
const ADDRESS = /^(?:0x[0-9a-f]{40}|T[1-9A-HJ-NP-Za-km-z]{33})$/i;

/** Coldcard's generic export, and wallets that read it: one account for each kind of address. */
const SECTIONS: readonly (readonly [name: string, scriptType: ScriptType])[] = [
  ['bip44', 'p2pkh'],
  ['bip49', 'p2sh-p2wpkh'],
  ['bip84', 'p2wpkh'],
  ['bip86', 'p2tr'],
];
/** The names of one value in the exports of Electrum, Coldcard, BlueWallet, Wasabi, Specter and others, the best first. */
const KEY_NAMES = ['_pub', 'xpub', 'ypub', 'zpub', 'tpub', 'upub', 'vpub', 'ExtPubKey', 'extendedPublicKey'];
const FINGERPRINT_NAMES = [
  'root_fingerprint',
  'xfp',
  'MasterFingerprint',
  'masterFingerprint',
  'fingerprint',
];
const PATH_NAMES = ['derivation', 'deriv', 'AccountKeyPath', 'path'];

/** `Format:` of the setup files of BlueWallet, Coldcard and Krux. */
const FORMATS: ReadonlyMap<string, ScriptType> = new Map([
  ['P2PKH', 'p2pkh'],
  ['P2SH-P2WPKH', 'p2sh-p2wpkh'],
  ['P2WPKH-P2SH', 'p2sh-p2wpkh'],
  ['P2WPKH', 'p2wpkh'],
  ['P2TR', 'p2tr'],
]);

/**
 * Reads what wallets show, print and export: an extended public key, alone or with its origin and its receiving branch,
 * a descriptor with or without its checksum, JSON, or a setup file; also in quotes or broken over lines. More than one
 * account only from an export of several, each of another kind of address.
 * @throws ExtendedKeyError
 */
export function pastedAccounts(input: string): PastedAccount[] {
  const secret = secretProblem(input);
  if (secret) throw refused('secret', secret);
  const text = withoutMarks(input);
  const file = parseFile(text);
  if (file) return distinct(accountsOfFile(file));
  const lines = text.split(/[\r\n]+/).map((line) => line.trim());
  const setup = findSetup(lines);
  if (setup) return [setup];
  const whole = tryReading(text);
  if (!(whole instanceof Error)) return [whole];
  // Comments and names stand in lines of their own.
  const found = lines
    .map(tryReading)
    .filter((account): account is PastedAccount => !(account instanceof Error));
  if (found.length === 0) throw whole;
  return distinct(found);
}

/** @throws ExtendedKeyError */
function readAccount(text: string): PastedAccount {
  const compact = text.replaceAll(/\s/g, '');
  if (ADDRESS.test(compact))
    throw refused(
      'form',
      'must be an extended public key (xpub), not an address: no address leads to the next one',
    );
  if (looksLikeDescriptor(compact)) return parseDescriptor(compact);
  const expression = findKeyExpression(compact);
  if (!expression)
    throw refused(
      'form',
      'must be an extended public key (such as xpub or zpub), a descriptor or the export of a wallet, and nothing else: no address and no other text',
    );
  const { isReceiving, ...rest } = expression;
  if (isReceiving === false)
    throw refused(
      'form',
      'must be an extended public key with nothing or the receiving branch (/0/*) behind it',
    );
  return { ...rest, scriptType: null };
}

function tryReading(text: string): PastedAccount | ExtendedKeyError {
  try {
    return readAccount(text);
  } catch (error) {
    if (error instanceof ExtendedKeyError) return error;
    throw error;
  }
}

/** @throws ExtendedKeyError */
function accountsOfFile(file: File): PastedAccount[] {
  const descriptors = descriptorsOf(file);
  if (descriptors.length > 0) return descriptors.map((text) => readAccount(withoutMarks(text)));
  const sections = SECTIONS.flatMap(([name, scriptType]) => {
    const section = file[name];
    const account = isObject(section) && accountOfObject({ ...section, xfp: file['xfp'] });
    return account ? [{ ...account, scriptType }] : [];
  });
  if (sections.length > 0) return sections;
  // Electrum's cosigners, and the accounts for them of others.
  if (Object.keys(file).some((name) => /^(?:x\d+\/|bip4[58]\w*)$/.test(name)))
    throw refused('signers', 'must be the export of a wallet with one signer: this one is of several');
  const account = accountOfObject(isObject(file['keystore']) ? file['keystore'] : file);
  if (account) return [account];
  throw refused('form', 'must be the export of a wallet with an extended public key or a descriptor in it');
}

/** Of Sparrow, Specter and Bitcoin Core (`listdescriptors`): the receiving ones. */
function descriptorsOf(file: File): string[] {
  const listed = Array.isArray(file['descriptors']) ? (file['descriptors'] as unknown[]) : [];
  const all = [
    file['descriptor'],
    ...listed.map((one) => (isObject(one) && one['internal'] !== true ? one['desc'] : null)),
  ];
  return all.filter((text) => typeof text === 'string');
}

/** A key beside its path and the fingerprint of its master key; null: there is no key. */
function accountOfObject(object: File): PastedAccount | null {
  const find = (names: readonly string[]) =>
    names.map((name) => object[name]).find((value) => typeof value === 'string' && value !== '');
  const [key, fingerprint, path] = [find(KEY_NAMES), find(FINGERPRINT_NAMES), find(PATH_NAMES)];
  if (typeof key !== 'string') return null;
  const account = readAccount(key);
  return account.origin ? account : { ...account, origin: originOf(fingerprint, path) };
}

/** The usual path is known without an origin, and another one is not known without both of its parts. */
function originOf(fingerprint: unknown, path: unknown): PastedAccount['origin'] {
  if (typeof fingerprint !== 'string' || typeof path !== 'string') return null;
  const steps = findSteps(path);
  if (!/^[0-9a-f]{8}$/i.test(fingerprint) || !steps)
    throw refused('descriptor', 'must be an export whose path and fingerprint can be read');
  return { fingerprint: fingerprint.toLowerCase(), path: steps };
}

/** The key of a setup file, `Derivation: …`, `Format: …` and `<fingerprint>: <key>` in lines; null: it is none. */
function findSetup(lines: readonly string[]): PastedAccount | null {
  const labelled = lines.flatMap((line) => {
    const [, label = '', value = ''] = /^([\w -]+): *(.+)$/.exec(line) ?? [];
    return label === '' ? [] : [[label.trim().toLowerCase(), value.trim()] as const];
  });
  const keys = labelled.filter(([label]) => /^[0-9a-f]{8}$/.test(label));
  const [first, ...others] = keys;
  if (!first) return null;
  const policy = labelled.find(([label]) => label === 'policy')?.[1] ?? '1 of 1';
  const format = labelled.find(([label]) => label === 'format')?.[1]?.toUpperCase();
  const scriptType = format === undefined ? null : (FORMATS.get(format) ?? null);
  if (
    others.length > 0 ||
    !/^1\s*(?:of|\/)\s*1$/i.test(policy) ||
    (format !== undefined && scriptType === null)
  )
    throw refused('signers', 'must be the setup of a wallet with one signer: this one is of several');
  const path = labelled.find(([label]) => label === 'derivation')?.[1];
  const account = readAccount(first[1]);
  return { ...account, origin: account.origin ?? originOf(first[0], path), scriptType };
}

/** Receiving and change branch of one account are often written one after the other. @throws ExtendedKeyError */
function distinct(accounts: readonly PastedAccount[]): PastedAccount[] {
  const kinds = new Map(
    accounts.map((account) => [JSON.stringify([account.key, account.scriptType]), account]),
  );
  const found = [...kinds.values()];
  if (new Set(found.map(({ scriptType }) => scriptType)).size < found.length)
    throw refused('form', 'must be the key of one account: these are several');
  return found;
}
