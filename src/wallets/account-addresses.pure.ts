import { ADDRESS_FAMILIES, familyOf } from '../chains/chain-families.pure.js';
import type { ScriptType } from '../chains/chain-family.pure.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import { accountPath, pathOf, walletPathOf } from './account-path.pure.js';
import { AddressChain } from './address-chain.pure.js';
import { type ExtendedPublicKey, parseExtendedPublicKey } from './extended-public-key.pure.js';
import { ExtendedKeyError, ForeignPrefixError, type KeyRefusal } from './key-refusal.pure.js';
export { secretIn } from './pasted-secret.pure.js';
import { parseUtxoAccount, ScriptTypeError } from './utxo-account-key.pure.js';

/**
 * Parses the key of an account as it was entered.
 * @param scriptType needed only where neither prefix nor descriptor determines it
 * @throws ExtendedKeyError, ScriptTypeError
 */
export function readAccountKey(
  text: string,
  family: AddressFamily,
  network: string,
  scriptType: string | null,
): ExtendedPublicKey {
  if (familyOf(family).accounts.scriptTypes === null) return parseExtendedPublicKey(text, family);
  return parseUtxoAccount(text, family, network, scriptType);
}

export function addressChainOf(
  { node, scriptType, origin }: ExtendedPublicKey,
  family: AddressFamily,
  network: string,
): AddressChain {
  const { addresses } = familyOf(family);
  return new AddressChain(
    node,
    (publicKey) => addresses.ofPublicKey(publicKey, network, scriptType),
    origin
      ? pathOf(origin)
      : accountPath({ family, network, scriptType, depth: node.depth, childNumber: node.index }),
    origin?.fingerprint ?? null,
  );
}

/** Is this the address with this index of my key? What is left out is recognized by the form of the address. */
export interface AddressQuestion {
  /** An extended public key (xpub, ypub, zpub, tpub, …), an output descriptor, or the export of a wallet. */
  key: string;
  index: number;
  address: string;
  family?: AddressFamily;
  /** Of UTXO chains: mainnet, testnet or regtest. */
  network?: string;
  /** Of UTXO chains. */
  scriptType?: ScriptType;
}

/** How the address is derived from the key. */
export interface DerivedAddress {
  family: AddressFamily;
  /** Null for families with one type only. */
  scriptType: ScriptType | null;
  /** Below the key. */
  path: string;
  /** From the master key, as wallets show it: of the usual path where the key does not say its own. */
  walletPath: string;
  /** In its usual spelling. */
  address: string;
}

/** The question cannot be answered; the message names the field, and never contains the key. */
export class AddressQuestionError extends Error {
  constructor(
    message: string,
    /** Why the key cannot be used; null: it is not the key. */
    readonly refusal: KeyRefusal | null = null,
  ) {
    super(message);
  }
}

/** Networks with addresses of their own: those of UTXO chains. */
const NETWORKS = ['mainnet', 'testnet', 'regtest'];
/** BIP32: larger ones are hardened. */
const MAX_INDEX = 2 ** 31 - 1;

/**
 * Derives the address again and compares it. Null: it is not the address with this index of this key.
 * @throws AddressQuestionError
 */
export function findAddressOfKey(question: AddressQuestion): DerivedAddress | null {
  const { index, key } = question;
  if (!Number.isInteger(index) || index < 0 || index > MAX_INDEX)
    throw new AddressQuestionError(`index: must be an integer from 0 to ${MAX_INDEX}`);
  const refusals: KeyError[] = [];
  const readings = readingsOf(question);
  for (const { family, network, scriptType, output } of readings) {
    const account = tryKey(key, family, network, scriptType);
    if (account instanceof Error) {
      refusals.push(account);
      continue;
    }
    const chain = addressChainOf(account, family, network);
    const derived = chain.derive(index);
    if (!derived?.key.equals(output)) continue;
    const walletPath = walletPathOf(chain.accountPath, index);
    return {
      family,
      scriptType: account.scriptType,
      path: `0/${index}`,
      walletPath,
      address: derived.address,
    };
  }
  if (refusals.length === readings.length) throw noKey(refusals);
  return null;
}

/** What a key is on one network, with one type of addresses. */
export interface KeyReading {
  network: string;
  /** Null for families with one type only. */
  scriptType: ScriptType | null;
  /** BIP32, of the account. */
  fingerprint: string;
  /** Of the master key, where the key says it or was pasted with its origin, as most wallets show it. */
  masterFingerprint: string | null;
  /** The path of the account in its wallet: the usual one where the key does not say its own. */
  accountPath: string;
  /** The key with its origin, without what stood around it: what the gateway is given. */
  key: string;
  /** Its first ones, to compare with a wallet. */
  addresses: string[];
}

/**
 * The first addresses of a key of a family, for every network that it fits; where the key leaves the type of addresses
 * open, for every type.
 * @throws AddressQuestionError
 */
export function readingsOfKey(key: string, family: AddressFamily, count: number): KeyReading[] {
  const { scriptTypes } = familyOf(family).accounts;
  const refusals: KeyError[] = [];
  const readings = (scriptTypes === null ? NETWORKS.slice(0, 1) : NETWORKS).flatMap((network) => {
    const unasked = tryKey(key, family, network, null);
    const isOpen = unasked instanceof ScriptTypeError && scriptTypes !== null;
    const accounts = isOpen ? scriptTypes.map((type) => tryKey(key, family, network, type)) : [unasked];
    return accounts.flatMap((account) => {
      if (account instanceof Error) {
        refusals.push(account);
        return [];
      }
      const chain = addressChainOf(account, family, network);
      const addresses = Array.from({ length: count }, (_, index) => chain.derive(index)?.address ?? '');
      return {
        network,
        scriptType: account.scriptType,
        fingerprint: chain.fingerprint,
        masterFingerprint: chain.masterFingerprint,
        accountPath: chain.accountPath,
        key: account.expression,
        addresses,
      };
    });
  });
  if (readings.length === 0) throw noKey(refusals);
  return readings;
}

/** One way to understand the address. */
interface Reading {
  family: AddressFamily;
  network: string;
  /** To be tried with the key; null where there is no choice. */
  scriptType: ScriptType | null;
  /** What the chain is asked for: an output script, or the bytes of the address. */
  output: Buffer;
}

/** @throws AddressQuestionError when the address has no form that is known */
function readingsOf(question: AddressQuestion): Reading[] {
  const families = question.family === undefined ? ADDRESS_FAMILIES : [question.family];
  if (!families.every((family) => ADDRESS_FAMILIES.includes(family)))
    throw new AddressQuestionError(`family: must be one of ${ADDRESS_FAMILIES.join(', ')}`);
  const readings = families.flatMap((family) => readingsIn(family, question));
  if (readings.length > 0) return readings;
  const kind = question.family ?? 'any supported blockchain';
  throw new AddressQuestionError(`address: is mistyped, or not an address of ${kind}`);
}

function readingsIn(family: AddressFamily, { address, network, scriptType }: AddressQuestion): Reading[] {
  const { accounts, addresses } = familyOf(family);
  const ownNetworks = accounts.scriptTypes === null ? NETWORKS.slice(0, 1) : NETWORKS;
  const scriptTypes = scriptType === undefined ? (accounts.scriptTypes ?? [null]) : [scriptType];
  const networks = network === undefined ? ownNetworks : ownNetworks.filter((name) => name === network);
  return networks.flatMap((name) => {
    const read = addresses.parse(address.trim(), name);
    return typeof read === 'string'
      ? []
      : scriptTypes.map((type) => ({ family, network: name, scriptType: type, output: read.key }));
  });
}

type KeyError = ExtendedKeyError | ScriptTypeError;

/**
 * How far a key got on a network: what is wrong with it where its prefix fits says more than that it fits nowhere else,
 * or that it has another type than one that was tried.
 */
function closeness(error: KeyError): number {
  if (error instanceof ForeignPrefixError) return error.refusal === 'other-network' ? 1 : 0;
  return error instanceof ScriptTypeError ? 2 : 3;
}

function noKey(refusals: readonly KeyError[]): AddressQuestionError {
  const [closest] = refusals.toSorted((a, b) => closeness(b) - closeness(a));
  const refusal = closest instanceof ExtendedKeyError ? closest.refusal : 'other-kind';
  return new AddressQuestionError(`key: ${closest?.message}`, refusal);
}

/** The parsed key, or why it does not fit. */
function tryKey(
  text: string,
  family: AddressFamily,
  network: string,
  scriptType: ScriptType | null,
): ExtendedPublicKey | KeyError {
  try {
    return readAccountKey(text, family, network, scriptType);
  } catch (error) {
    if (error instanceof ExtendedKeyError || error instanceof ScriptTypeError) return error;
    throw error;
  }
}
