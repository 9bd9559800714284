import { keccak_256 } from '@noble/hashes/sha3.js';
import { parseEvmAddress, toChecksumAddress } from '../chains/evm/evm-address.pure.js';
import { Collector } from './treasury/collector-contract.pure.js';
import {
  DEPLOYMENT_PROXY,
  depositAddressOf,
  depositSaltOf,
  readTreasury,
  type Treasury,
} from './treasury/treasury-address.pure.js';

/** A transaction to sign elsewhere; 0x and hexadecimal digits. No coin is sent along. */
export interface UnsignedCall {
  to: string;
  data: string;
  value: '0x0';
}

/** A deposit address and what to collect from it, beside the coin. */
export interface Deposit {
  treasury: Treasury;
  index: number;
  /** Contracts. */
  tokens: readonly string[];
}

/** What one transaction collects. */
export interface Collection {
  treasury: Treasury;
  deposits: { index: number; address: string }[];
  /** EIP-55. */
  tokens: string[];
  call: UnsignedCall;
}

/** Of one transaction, with up to two tokens: about 5 million gas with one. */
export const MAX_DEPOSITS = 100;
/** Below what Ethereum lets a transaction have, 16.7 million (EIP-7825); of a deposit, and of a token with a proxy. */
const GAS = { transaction: 14_000_000, deposit: 40_000, token: 50_000 };
/** Of one transaction. */
export const MAX_TOKENS = 20;

/** A collection that cannot be prepared; the message says why. */
export class CollectionError extends Error {}

/** 4 bytes of `collect(address,bytes32[],address[])`. */
const COLLECT = hex(keccak_256(new TextEncoder().encode('collect(address,bytes32[],address[])')).slice(0, 4));
const WORD = 64;

/**
 * Transactions that collect these deposits: each deposit in one of them, whatever the order and however often it is
 * named, because nothing can be created twice in a transaction. Deposits with the same tokens go together: a token that
 * a deposit does not have costs gas.
 * @throws TreasuryError, CollectionError
 */
export function collectionsOf(deposits: readonly Deposit[]): Collection[] {
  const byAddress = new Map<string, { deposit: Deposit; tokens: Set<string> }>();
  for (const deposit of deposits) {
    const { address } = depositAddressOf(deposit.treasury, deposit.index);
    const known = byAddress.get(address) ?? { deposit, tokens: new Set() };
    for (const token of deposit.tokens) known.tokens.add(readToken(token));
    byAddress.set(address, known);
  }
  const groups = new Map<string, Collection>();
  for (const [address, { deposit, tokens }] of byAddress) {
    const { treasury, index } = deposit;
    const sorted = [...tokens].sort();
    if (sorted.length > MAX_TOKENS) throw new CollectionError(`tokens: at most ${MAX_TOKENS} of one address`);
    const key = [treasury.factory, treasury.address, treasury.namespace, ...sorted].join();
    const group = groups.get(key) ?? { treasury, deposits: [], tokens: sorted, call: NO_CALL };
    group.deposits.push({ index, address });
    groups.set(key, group);
  }
  return [...groups.values()].flatMap(inTransactions);
}

const NO_CALL: UnsignedCall = { to: '', data: '', value: '0x0' };

function inTransactions({ treasury, deposits, tokens }: Collection): Collection[] {
  const sorted = deposits.toSorted((a, b) => a.index - b.index);
  const fitting = Math.floor(GAS.transaction / (GAS.deposit + tokens.length * GAS.token));
  const size = Math.min(MAX_DEPOSITS, fitting);
  return Array.from({ length: Math.ceil(sorted.length / size) }, (_, part) => {
    const some = sorted.slice(part * size, (part + 1) * size);
    const salts = some.map(({ index }) => hex(depositSaltOf(treasury.namespace, index)));
    return { treasury, deposits: some, tokens, call: collectCall(treasury, salts, tokens) };
  });
}

/** The ABI encoding of `collect`. */
function collectCall(treasury: Treasury, salts: readonly string[], tokens: readonly string[]): UnsignedCall {
  const tokensAt = 3 * 32 + 32 + salts.length * 32;
  const words = [
    treasury.address.slice(2).toLowerCase(),
    (3 * 32).toString(16),
    tokensAt.toString(16),
    salts.length.toString(16),
    ...salts,
    tokens.length.toString(16),
    ...tokens.map((token) => token.slice(2).toLowerCase()),
  ];
  const data = `0x${COLLECT}${words.map((word) => word.padStart(WORD, '0')).join('')}`;
  return { to: treasury.factory, data, value: '0x0' };
}

/** Puts the contract that collects where a chain does not have it; anybody may send it, and it costs about 600,000 gas. */
export function deployFactoryCall(): UnsignedCall {
  return { to: DEPLOYMENT_PROXY, data: `0x${'0'.repeat(WORD)}${Collector.bytecode.slice(2)}`, value: '0x0' };
}

function readToken(text: string): string {
  const address = parseEvmAddress(text);
  if (!address) throw new CollectionError(`tokens: ${JSON.stringify(text.slice(0, 60))} is no EVM address`);
  return toChecksumAddress(address);
}

/** A row of an export, as whoever collects without the gateway has it. */
export interface ExportedDeposit {
  address: string;
  index: number;
  namespace: string;
  treasury: string;
  factory: string;
  tokens: readonly string[];
}

/**
 * The deposit of a row, computed again: null where the address is another one, so that nothing would be collected from
 * it. @throws TreasuryError
 */
export function findDepositOf(row: ExportedDeposit): Deposit | null {
  const treasury = readTreasury(row);
  const computed = depositAddressOf(treasury, row.index).address;
  return computed.toLowerCase() === row.address.toLowerCase()
    ? { treasury, index: row.index, tokens: row.tokens }
    : null;
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
