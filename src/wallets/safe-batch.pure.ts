import { keccak_256 } from '@noble/hashes/sha3.js';
import type { TransferCall } from '../chains/chain-family.pure.js';

/** A file of the Safe app's Transaction Builder: one signature of the owners for all transactions. */
export interface SafeBatch {
  version: '1.0';
  /** Decimal. */
  chainId: string;
  /** Milliseconds. */
  createdAt: number;
  meta: {
    name: string;
    description: string;
    txBuilderVersion: string;
    createdFromSafeAddress: string;
    createdFromOwnerAddress: string;
    /** Without it, or with a wrong one, the app warns. */
    checksum: string;
  };
  transactions: {
    to: string;
    value: string;
    data: string;
    contractMethod: null;
    contractInputsValues: null;
  }[];
}

/** Whose file format this is. */
const BUILDER_VERSION = '1.16.5';

export function safeBatchOf({
  chainId,
  safe,
  name,
  createdAt,
  calls,
}: {
  chainId: number;
  /** The address of the Safe; empty: not known. */
  safe: string;
  name: string;
  /** Milliseconds. */
  createdAt: number;
  calls: readonly TransferCall[];
}): SafeBatch {
  const meta = {
    name,
    description: '',
    txBuilderVersion: BUILDER_VERSION,
    createdFromSafeAddress: safe,
    createdFromOwnerAddress: '',
  };
  const transactions = calls.map(({ to, data, value }) => ({
    to,
    value: BigInt(value).toString(),
    data,
    contractMethod: null,
    contractInputsValues: null,
  }));
  const batch = { version: '1.0' as const, chainId: String(chainId), createdAt, meta, transactions };
  return { ...batch, meta: { ...meta, checksum: safeChecksum(batch) } };
}

/** As the app computes it: over sorted keys and their values, without the checksum, and with null as the name. */
export function safeChecksum<T extends { meta: object }>(batch: T): string {
  const text = serialized({ ...batch, meta: { ...batch.meta, name: null } });
  return `0x${Buffer.from(keccak_256(new TextEncoder().encode(text))).toString('hex')}`;
}

function serialized(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(serialized).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value ?? null);
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  const keys = JSON.stringify(entries.map(([key]) => key));
  return `{${keys}${entries.map(([, item]) => `${serialized(item)},`).join('')}}`;
}
