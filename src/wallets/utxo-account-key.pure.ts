import type { ScriptType, UtxoFamily, UtxoNetworkName } from '../chains/utxo/utxo-network.pure.js';
import { utxoTraits } from '../chains/utxo/utxo-network.pure.js';
import { sha256 } from '../platform/security/hmac.pure.js';
import {
  checkAccount,
  decodeExtendedKey,
  encodeExtendedKey,
  type ExtendedPublicKey,
  fingerprintOf,
  keyMaterial,
  maskKey,
  refused,
  toAccountNode,
  XPUB,
} from './extended-public-key.pure.js';
import {
  looksLikeDescriptor,
  type OutputDescriptor,
  parseDescriptor,
  writeDescriptor,
} from './output-descriptor.pure.js';
import { secretProblem } from './pasted-secret.pure.js';

/** The script type is missing, unknown, or not the one that the key is for; ends a sentence about its field. */
export class ScriptTypeError extends Error {}

/** A key of that family on that network. */
export interface UtxoAccount extends ExtendedPublicKey {
  scriptType: ScriptType;
}

/** Version bytes (BIP32, SLIP-132). Null: it does not say for which scripts. */
interface Prefix {
  version: number;
  name: string;
  isTest: boolean;
  scriptType: ScriptType | null;
  /** Families that write it; default: those with segregated witness. */
  families?: readonly UtxoFamily[];
}

const ALL: readonly UtxoFamily[] = ['bitcoin', 'litecoin', 'dogecoin', 'bitcoincash'];
const WITH_SEGWIT: readonly UtxoFamily[] = ['bitcoin', 'litecoin'];
const TPUB = 0x043587cf;
const PREFIXES: readonly Prefix[] = [
  { version: XPUB, name: 'xpub', isTest: false, scriptType: null, families: ALL },
  { version: 0x049d7cb2, name: 'ypub', isTest: false, scriptType: 'p2sh-p2wpkh' },
  { version: 0x04b24746, name: 'zpub', isTest: false, scriptType: 'p2wpkh' },
  // Litecoin wallets write Ltub for accounts of every kind, whatever SLIP-132 says: it fixes nothing.
  { version: 0x019da462, name: 'Ltub', isTest: false, scriptType: null, families: ['litecoin'] },
  { version: 0x01b26ef6, name: 'Mtub', isTest: false, scriptType: 'p2sh-p2wpkh', families: ['litecoin'] },
  { version: 0x02facafd, name: 'dgub', isTest: false, scriptType: null, families: ['dogecoin'] },
  { version: TPUB, name: 'tpub', isTest: true, scriptType: null, families: ALL },
  { version: 0x044a5262, name: 'upub', isTest: true, scriptType: 'p2sh-p2wpkh' },
  { version: 0x045f1cf6, name: 'vpub', isTest: true, scriptType: 'p2wpkh' },
];
/** Keys of one signer of several. */
const MULTISIG = new Map([
  [0x0295b43f, 'Ypub'],
  [0x02aa7ed3, 'Zpub'],
  [0x024289ef, 'Upub'],
  [0x02575483, 'Vpub'],
]);
const SLIP44: Readonly<Record<UtxoFamily, number>> = {
  bitcoin: 0,
  litecoin: 2,
  dogecoin: 3,
  bitcoincash: 145,
};
const PURPOSES: Readonly<Record<ScriptType, number>> = {
  p2pkh: 44,
  'p2sh-p2wpkh': 49,
  p2wpkh: 84,
  p2tr: 86,
};

/**
 * Reads the account key of a wallet of Bitcoin's kind: an extended public key, or an output descriptor with its
 * checksum (BIP380). What is kept is a descriptor in one form, so that the script type is sealed with the key.
 * @param asked script type that came beside the key; needed only where neither prefix nor descriptor says it
 * @throws ExtendedKeyError, ScriptTypeError
 */
export function parseUtxoAccount(
  input: string,
  family: UtxoFamily,
  network: UtxoNetworkName,
  asked: string | null = null,
): UtxoAccount {
  const text = input.trim();
  const secret = secretProblem(text);
  if (secret) throw refused(secret);
  const descriptor = looksLikeDescriptor(text) ? parseDescriptor(text) : null;
  const keyText = descriptor?.key ?? text;
  if (!/^[1-9A-HJ-NP-Za-km-z]{100,120}$/.test(keyText)) {
    throw refused(
      'must be an extended public key (such as xpub or zpub) or an output descriptor, and nothing else: no address, path or spaces',
    );
  }
  const bytes = decodeExtendedKey(keyText);
  const prefix = findPrefix(bytes.readUInt32BE(0), family, network);
  const scriptType = chooseScriptType(family, prefix, descriptor, asked);
  checkAccount(bytes, `m/${PURPOSES[scriptType]}'/${prefix.isTest ? 1 : SLIP44[family]}'/0'`);
  if (descriptor && descriptor.originDepth !== null && descriptor.originDepth !== bytes[4]) {
    throw refused('must be a descriptor whose origin leads to its key: they differ in depth');
  }
  const node = toAccountNode(bytes);
  return {
    text: writeDescriptor(scriptType, encodeExtendedKey(bytes, prefix.isTest ? TPUB : XPUB)),
    scriptType,
    masked: maskKey(keyText),
    fingerprint: fingerprintOf(node),
    keyHash: sha256(Buffer.concat([keyMaterial(bytes), Buffer.from(`${family}/${scriptType}`)])),
    node,
  };
}

function findPrefix(version: number, family: UtxoFamily, network: UtxoNetworkName): Prefix {
  const multisig = MULTISIG.get(version);
  if (multisig) throw refused(`must be the key of a wallet with one signer: a ${multisig} is one of several`);
  const prefix = PREFIXES.find((known) => known.version === version);
  const families = prefix?.families ?? WITH_SEGWIT;
  if (!prefix || !families.includes(family)) {
    throw refused(`must be an extended public key for ${family}: its prefix is of another network`);
  }
  const isTestWanted = network !== 'mainnet';
  if (prefix.isTest !== isTestWanted) {
    const has = prefix.isTest ? 'a test network' : 'the main network';
    const wants = isTestWanted ? 'a test network (tpub, upub, vpub)' : 'the main network';
    throw refused(`must be a key of ${wants}: ${withArticle(prefix.name)} is for ${has}`);
  }
  return prefix;
}

function chooseScriptType(
  family: UtxoFamily,
  prefix: Prefix,
  descriptor: OutputDescriptor | null,
  asked: string | null,
): ScriptType {
  const { scriptTypes } = utxoTraits(family);
  const choice = scriptTypes.join(', ');
  if (asked !== null && !scriptTypes.some((known) => known === asked)) {
    throw new ScriptTypeError(`must be one of: ${choice}`);
  }
  if (descriptor && !scriptTypes.includes(descriptor.scriptType)) {
    throw refused(`must be a descriptor that ${family} knows: it has no segregated witness`);
  }
  if (descriptor && prefix.scriptType !== null && prefix.scriptType !== descriptor.scriptType) {
    throw refused(
      `must be a descriptor that fits its key: ${withArticle(prefix.name)} is for ${prefix.scriptType}`,
    );
  }
  const said = descriptor?.scriptType ?? prefix.scriptType;
  const chosen = said ?? scriptTypes.find((known) => known === asked) ?? null;
  if (chosen === null) {
    const [only, ...others] = scriptTypes;
    if (only && others.length === 0) return only;
    throw new ScriptTypeError(
      `is needed for ${withArticle(prefix.name)}, which does not say it; one of: ${choice}`,
    );
  }
  if (asked !== null && asked !== chosen) {
    const what = descriptor ? 'the descriptor' : withArticle(prefix.name);
    throw new ScriptTypeError(`must be ${chosen} or left out: that is what ${what} is for`);
  }
  return chosen;
}

/** As the names are spoken: an xpub, an Ltub; a zpub, a tpub. */
function withArticle(name: string): string {
  return `${/^[xLM]/.test(name) ? 'an' : 'a'} ${name}`;
}
