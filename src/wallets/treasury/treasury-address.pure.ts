import { keccak_256 } from '@noble/hashes/sha3.js';
import { parseEvmAddress, toChecksumAddress } from '../../chains/evm/evm-address.pure.js';
import { Collector, Deposit } from './collector-contract.pure.js';

/** Where payments of EVM chains end up: each has an address of its own that can only ever pay the treasury. */
export interface Treasury {
  /** EIP-55: an account or a Safe. */
  address: string;
  /** EIP-55: the contract that collects (contracts/Collector.sol). */
  factory: string;
  /** What a deposit address is: `passing` ones have code only while they are collected. */
  kind: 'passing';
  /** 32 hexadecimal digits, drawn when the wallet is set: two gateways with one treasury never share an address. */
  namespace: string;
}

/** What is wrong with a treasury; `own`: it is a contract of ours, which could never spend. */
export type TreasuryProblem = 'form' | 'malformed' | 'checksum' | 'unspendable' | 'own' | 'range';

/** The message begins with the field. */
export class TreasuryError extends Error {
  constructor(
    readonly field: 'treasury' | 'factory' | 'kind' | 'namespace' | 'index',
    readonly problem: TreasuryProblem,
    message: string,
  ) {
    super(`${field}: ${message}`);
  }
}

/** Deploys a contract at an address that follows from its code alone, the same on every EVM chain. */
export const DEPLOYMENT_PROXY = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

/** At this address on every EVM chain where somebody has deployed it, with salt 0. */
export const COLLECTOR_FACTORY = /* @__PURE__ */ toChecksumAddress(
  create2(bytes(DEPLOYMENT_PROXY), new Uint8Array(32), keccak_256(bytes(Collector.bytecode))),
);

const NAMESPACE = /^[0-9a-f]{32}$/;
const TEXT = /^treasury\(([^,()]*),([^,()]*),([^,()]*),([^,()]*)\)$/;

/** A treasury as a person or another program wrote it. @throws TreasuryError */
export function readTreasury({
  treasury,
  namespace,
  factory = COLLECTOR_FACTORY,
  kind = 'passing',
}: {
  treasury: string;
  namespace: string;
  factory?: string;
  kind?: string;
}): Treasury {
  if (kind !== 'passing') throw new TreasuryError('kind', 'form', 'must be passing');
  if (!NAMESPACE.test(namespace))
    throw new TreasuryError('namespace', 'form', 'must be 32 hexadecimal digits in lower case');
  const address = readAddress('treasury', treasury);
  const contract = readAddress('factory', factory);
  if ([contract, COLLECTOR_FACTORY, DEPLOYMENT_PROXY].includes(address))
    throw new TreasuryError('treasury', 'own', 'is the contract that collects, from which nobody can spend');
  return { address, factory: contract, kind, namespace };
}

/** The stored form. @throws TreasuryError also where another spelling of the same treasury is given */
export function parseTreasury(text: string): Treasury {
  const [, address = '', factory = '', kind = '', namespace = ''] = TEXT.exec(text) ?? [];
  const treasury = readTreasury({ treasury: address, factory, kind, namespace });
  if (treasuryText(treasury) !== text)
    throw new TreasuryError('treasury', 'form', 'is not in the form in which it is stored');
  return treasury;
}

/** As in `treasury(0x…,0x…,passing,…)`. */
export function treasuryText({ address, factory, kind, namespace }: Treasury): string {
  return `treasury(${address},${factory},${kind},${namespace})`;
}

/** 16 bytes of the namespace, then 16 of the index. @throws TreasuryError */
export function depositSaltOf(namespace: string, index: number): Uint8Array {
  if (!NAMESPACE.test(namespace))
    throw new TreasuryError('namespace', 'form', 'must be 32 hexadecimal digits in lower case');
  if (!Number.isSafeInteger(index) || index < 0)
    throw new TreasuryError('index', 'range', `must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}`);
  return bytes(`0x${namespace}${index.toString(16).padStart(32, '0')}`);
}

/** The deposit address with this index, as the contract computes it (CREATE2). @throws TreasuryError */
export function depositAddressOf(treasury: Treasury, index: number): { key: Buffer; address: string } {
  const salt = depositSaltOf(treasury.namespace, index);
  const key = create2(bytes(treasury.factory), salt, creationHashOf(treasury.address));
  return { key, address: toChecksumAddress(key) };
}

/** Of the code that creates a deposit of a treasury, which carries the treasury as its argument. */
function creationHashOf(address: string): Uint8Array {
  return keccak_256(Buffer.concat([bytes(Deposit.bytecode), new Uint8Array(12), bytes(address)]));
}

/** EIP-1014. */
function create2(creator: Uint8Array, salt: Uint8Array, codeHash: Uint8Array): Buffer {
  return Buffer.from(keccak_256(Buffer.concat([Uint8Array.of(0xff), creator, salt, codeHash])).slice(12));
}

function readAddress(field: 'treasury' | 'factory', text: string): string {
  if (!/^0x[0-9a-f]{40}$/i.test(text))
    throw new TreasuryError(field, 'malformed', 'must be an EVM address, 0x and 40 hexadecimal digits');
  const address = parseEvmAddress(text);
  if (!address)
    throw new TreasuryError(field, 'checksum', 'has a wrong checksum (EIP-55): a character may be mistyped');
  // 0x0, precompiled contracts, and 0x…dEaD.
  if (address.subarray(0, 18).every((byte) => byte === 0))
    throw new TreasuryError(field, 'unspendable', 'is an address that nobody can spend from');
  return toChecksumAddress(address);
}

function bytes(hex: string): Buffer {
  return Buffer.from(hex.slice(2), 'hex');
}
