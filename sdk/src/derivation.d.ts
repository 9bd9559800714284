// What src/wallets/derivation.pure.ts of the gateway exports; scripts/bundle-derivation.mjs builds it.

/** Kinds of blockchains whose addresses are derived alike. */
export type AddressFamily = 'evm' | 'bitcoin' | 'litecoin' | 'dogecoin' | 'bitcoincash' | 'tron';

/** BIP 44, 49, 84 and 86. */
export type ScriptType = 'p2pkh' | 'p2sh-p2wpkh' | 'p2wpkh' | 'p2tr';

/** Is this the address with this index of my key? What is left out is recognized by the form of the address. */
export interface AddressQuestion {
  /** An extended public key (xpub, ypub, zpub, tpub, …), an output descriptor, or the export of a wallet. */
  key: string;
  /** `derivation.index` of instructions or of a deposit address. */
  index: number;
  address: string;
  family?: AddressFamily;
  /** Of Bitcoin, Litecoin, Dogecoin and Bitcoin Cash. */
  network?: 'mainnet' | 'testnet' | 'regtest';
  /** Of the same. */
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

/** The question cannot be answered: the key, the index or the address is not valid. The message never contains the key. */
export class AddressQuestionError extends Error {
  /** Why the key cannot be used; null: it is not the key. */
  readonly refusal: KeyRefusal | null;
}

export type KeyRefusal =
  'secret' | 'form' | 'typo' | 'other-kind' | 'other-network' | 'account' | 'signers' | 'descriptor';

/**
 * Derives the address again and compares it. Null: it is not the address with this index of this key.
 * @throws AddressQuestionError
 */
export function findAddressOfKey(question: AddressQuestion): DerivedAddress | null;

/** What a key is on one network, with one type of addresses. */
export interface KeyReading {
  network: 'mainnet' | 'testnet' | 'regtest';
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
export function readingsOfKey(key: string, family: AddressFamily, count: number): KeyReading[];

/** Whether a text contains what only its owner may know: a private key, or the words of one. */
export function secretIn(text: string): 'private-key' | 'seed-words' | null;

/** An address that everything goes to, and what the deposit addresses that can only pay it follow from. */
export interface Treasury {
  address: string;
  factory: string;
  kind: 'passing';
  /** 32 hexadecimal digits. */
  namespace: string;
}

/** The deposit address of a treasury with this index. */
export function depositAddressOf(treasury: Treasury, index: number): { key: Uint8Array; address: string };

/** Why a text is no address that everything may go to. */
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

/** Reads an address as wallets copy it; it is returned with its checksum. */
export function readTreasuryAddress(text: string): { key: Uint8Array; address: string } | TreasuryRefusal;

/** Is this the deposit address with this index of my treasury? */
export interface TreasuryQuestion {
  /** The address of the account or the Safe that all payments end up at. */
  treasury: string;
  /** 32 hexadecimal digits, as the gateway shows them beside the treasury. */
  namespace: string;
  /** `derivation.index` of instructions or of a deposit address. */
  index: number;
  address: string;
  /** Of your own contract that collects; without it, only the known one is accepted. Never take it from the gateway. */
  factory?: string;
}

/** How a deposit address is computed from a treasury. */
export interface DerivedDeposit {
  treasury: string;
  factory: string;
  /** 0x and 64 hexadecimal digits: what the contract that collects is given. */
  salt: string;
  address: string;
}

/**
 * Computes the address again and compares it. Null: it is not the address with this index of this treasury.
 * @throws AddressQuestionError
 */
export function findAddressOfTreasury(question: TreasuryQuestion): DerivedDeposit | null;

/** The contract that collects, on every EVM chain. */
export const COLLECTOR_FACTORY: string;

/** A transaction to sign elsewhere; 0x and hexadecimal digits. */
export interface UnsignedCall {
  to: string;
  data: string;
  value: '0x0';
}

/** What one transaction collects. */
export interface Collection {
  treasury: { address: string; factory: string; kind: 'passing'; namespace: string };
  deposits: { index: number; address: string }[];
  tokens: string[];
  call: UnsignedCall;
}

/** A collection that cannot be prepared; the message says why. */
export class CollectionError extends Error {}

/**
 * Computes every address of an export again, and prepares the collection of those that match.
 * @param ownFactory a contract that collects, other than the known one, which you trust
 * @throws CollectionError
 */
export function prepareExport(
  text: string,
  ownFactory?: string,
): { collections: Collection[]; refused: { row: number; address: string; reason: string }[] };

/** Puts the contract that collects where a chain does not have it. */
export function deployFactoryCall(): UnsignedCall;

/** A file for the Transaction Builder of the Safe app. */
export function safeBatchOf(batch: {
  chainId: number;
  safe: string;
  name: string;
  /** Milliseconds. */
  createdAt: number;
  calls: readonly UnsignedCall[];
}): object;
