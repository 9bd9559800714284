import { HARDENED_OFFSET } from '@scure/bip32';
import type { AddressFamily } from '../chains/chain.pure.js';
import { familyOf } from '../chains/chain-families.pure.js';
import type { ExtendedKeyPrefix, ScriptType } from '../chains/chain-family.pure.js';
import { sha256 } from '../platform/kernel/hmac.pure.js';
import { accountPath } from './account-path.pure.js';
import {
  ACCOUNT_DEPTH,
  checkAccount,
  decodeExtendedKey,
  encodeExtendedKey,
  type ExtendedPublicKey,
  fingerprintOf,
  keyMaterial,
  maskKey,
  toAccountNode,
  XPUB,
} from './extended-public-key.pure.js';
import { originOf } from './key-origin.pure.js';
import { ForeignPrefixError, refused } from './key-refusal.pure.js';
import { writeDescriptor, writeKeyExpression } from './output-descriptor.pure.js';
import { type PastedAccount, pastedAccounts } from './pasted-account.pure.js';

/** The script type is missing, unknown or does not fit the key. The message continues a sentence about the field. */
export class ScriptTypeError extends Error {}

/** The account key of a UTXO wallet. */
export interface UtxoAccount extends ExtendedPublicKey {
  scriptType: ScriptType;
}

const TPUB = 0x043587cf;
/** Prefixes shared by families, each allowed where the family has its script type. */
const SHARED_PREFIXES: readonly ExtendedKeyPrefix[] = [
  { version: XPUB, name: 'xpub', isTest: false, scriptType: null },
  { version: 0x049d7cb2, name: 'ypub', isTest: false, scriptType: 'p2sh-p2wpkh' },
  { version: 0x04b24746, name: 'zpub', isTest: false, scriptType: 'p2wpkh' },
  { version: TPUB, name: 'tpub', isTest: true, scriptType: null },
  { version: 0x044a5262, name: 'upub', isTest: true, scriptType: 'p2sh-p2wpkh' },
  { version: 0x045f1cf6, name: 'vpub', isTest: true, scriptType: 'p2wpkh' },
];
/** Prefixes of keys of a multisignature wallet. */
const MULTISIG = new Map([
  [0x0295b43f, 'Ypub'],
  [0x02aa7ed3, 'Zpub'],
  [0x024289ef, 'Upub'],
  [0x02575483, 'Vpub'],
]);

/** Electrum and Electron Cash keep the account of a wallet that they made at `m` (standard) or `m/0'` (segwit). */
const ELECTRUM_DEPTHS = [0, 1];

/**
 * Parses the account key of a UTXO wallet: an extended public key, an output descriptor (BIP380) or an export.
 * The stored text is a descriptor in a canonical form, so that the script type is encrypted with the key.
 * @param requested the script type of the request; needed only if neither prefix nor descriptor determines it
 * @throws ExtendedKeyError, ScriptTypeError
 */
export function parseUtxoAccount(
  input: string,
  family: AddressFamily,
  network: string,
  requested: string | null = null,
): UtxoAccount {
  const pasted = chooseAccount(pastedAccounts(input), family, requested);
  const bytes = decodeExtendedKey(pasted.key);
  const { keyHashSuffix } = familyOf(family).accounts;
  const prefix = findPrefix(bytes.readUInt32BE(0), family, network);
  const scriptType = chooseScriptType(family, prefix, pasted.scriptType, requested);
  const first = { family, network, scriptType, depth: ACCOUNT_DEPTH, childNumber: HARDENED_OFFSET };
  checkAccount(bytes, accountPath(first), ELECTRUM_DEPTHS);
  const node = toAccountNode(bytes);
  const origin = originOf(node, pasted.origin, family, network);
  return {
    text: writeDescriptor(scriptType, encodeExtendedKey(bytes, prefix.isTest ? TPUB : XPUB), origin),
    scriptType,
    masked: maskKey(pasted.key),
    expression: writeKeyExpression(pasted),
    fingerprint: fingerprintOf(node),
    origin,
    keyHash: sha256(Buffer.concat([keyMaterial(bytes), Buffer.from(`${keyHashSuffix}/${scriptType}`)])),
    node,
  };
}

/** @throws ScriptTypeError when there are several, and the request chooses none */
function chooseAccount(
  accounts: readonly PastedAccount[],
  family: AddressFamily,
  requested: string | null,
): PastedAccount {
  const [only, ...others] = accounts;
  if (only && others.length === 0) return only;
  const known = accounts.filter(({ scriptType }) =>
    familyOf(family).accounts.scriptTypes?.includes(scriptType ?? 'p2pkh'),
  );
  const chosen = known.find(({ scriptType }) => known.length === 1 || scriptType === requested);
  if (chosen) return chosen;
  const choice = known.map(({ scriptType }) => scriptType).join(', ');
  throw new ScriptTypeError(`is needed for an export of several accounts; one of: ${choice}`);
}

function findPrefix(version: number, family: AddressFamily, network: string): ExtendedKeyPrefix {
  const multisig = MULTISIG.get(version);
  if (multisig)
    throw refused('signers', `must be the key of a wallet with one signer: a ${multisig} is one of several`);
  const { ownPrefixes, scriptTypes } = familyOf(family).accounts;
  const prefix = [...SHARED_PREFIXES, ...ownPrefixes].find((known) => known.version === version);
  if (!prefix || (prefix.scriptType !== null && !scriptTypes?.includes(prefix.scriptType))) {
    throw new ForeignPrefixError(
      'other-kind',
      `must be an extended public key for ${family}: its prefix is of another network`,
    );
  }
  const isTestWanted = network !== 'mainnet';
  if (prefix.isTest !== isTestWanted) {
    const has = prefix.isTest ? 'a test network' : 'the main network';
    const wants = isTestWanted ? 'a test network (tpub, upub, vpub)' : 'the main network';
    throw new ForeignPrefixError(
      'other-network',
      `must be a key of ${wants}: ${withArticle(prefix.name)} is for ${has}`,
    );
  }
  return prefix;
}

function chooseScriptType(
  family: AddressFamily,
  prefix: ExtendedKeyPrefix,
  stated: ScriptType | null,
  requested: string | null,
): ScriptType {
  const scriptTypes = familyOf(family).accounts.scriptTypes ?? [];
  const choice = scriptTypes.join(', ');
  if (requested !== null && !scriptTypes.some((known) => known === requested)) {
    throw new ScriptTypeError(`must be one of: ${choice}`);
  }
  if (stated !== null && !scriptTypes.includes(stated)) {
    throw refused('descriptor', `must be a descriptor that ${family} knows: it has no segregated witness`);
  }
  if (stated !== null && prefix.scriptType !== null && prefix.scriptType !== stated) {
    throw refused(
      'descriptor',
      `must be a descriptor that fits its key: ${withArticle(prefix.name)} is for ${prefix.scriptType}`,
    );
  }
  const implied = stated ?? prefix.scriptType;
  const chosen = implied ?? scriptTypes.find((known) => known === requested) ?? null;
  if (chosen === null) {
    const [only, ...others] = scriptTypes;
    if (only && others.length === 0) return only;
    throw new ScriptTypeError(
      `is needed for ${withArticle(prefix.name)}, which does not say it; one of: ${choice}`,
    );
  }
  if (requested !== null && requested !== chosen) {
    const what = stated !== null ? 'the descriptor' : withArticle(prefix.name);
    throw new ScriptTypeError(`must be ${chosen} or left out: that is what ${what} is for`);
  }
  return chosen;
}

/** By pronunciation: an xpub, an Ltub; a zpub, a tpub. */
function withArticle(name: string): string {
  return `${/^[xLM]/.test(name) ? 'an' : 'a'} ${name}`;
}
