import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';
import { malformed, toQuantity } from './evm-wire.pure.js';

/** A field of a header in JSON-RPC: its length in bytes, or what it is. */
type Field = readonly [name: string, kind: number | 'quantity' | 'bytes'];

/** Of every block since the merge, and before (Ethereum Yellow Paper, 4.3). */
const COMMON: readonly Field[] = [
  ['parentHash', 32],
  ['sha3Uncles', 32],
  ['miner', 20],
  ['stateRoot', 32],
  ['transactionsRoot', 32],
  ['receiptsRoot', 32],
  ['logsBloom', 256],
  ['difficulty', 'quantity'],
  ['number', 'quantity'],
  ['gasLimit', 'quantity'],
  ['gasUsed', 'quantity'],
  ['timestamp', 'quantity'],
  ['extraData', 'bytes'],
  ['mixHash', 32],
  ['nonce', 8],
];

/** Fields that upgrades have added at the end, oldest first. */
const ADDED = {
  /**
   * London, Shanghai, Cancun (three), Prague. Also Polygon, whose producers sign inside `extraData`; BNB Smart Chain, whose
   * `milliTimestamp` is a part of `mixHash` (BEP-520); Base and OP Mainnet, where `withdrawalsRoot` has another meaning
   * since Isthmus; and Arbitrum, whose `sendRoot` is in `extraData` and other numbers in `mixHash`.
   */
  ethereum: [
    ['baseFeePerGas', 'quantity'],
    ['withdrawalsRoot', 32],
    ['blobGasUsed', 'quantity'],
    ['excessBlobGas', 'quantity'],
    ['parentBeaconBlockRoot', 32],
    ['requestsHash', 32],
  ],
  /** Avalanche's C-Chain: Apricot phases 1, 3 and 4 (two), Etna (three), Granite (two). */
  avalanche: [
    ['extDataHash', 32],
    ['baseFeePerGas', 'quantity'],
    ['extDataGasUsed', 'quantity'],
    ['blockGasCost', 'quantity'],
    ['blobGasUsed', 'quantity'],
    ['excessBlobGas', 'quantity'],
    ['parentBeaconBlockRoot', 32],
    ['timestampMilliseconds', 'quantity'],
    ['minDelayExcess', 'quantity'],
  ],
} as const satisfies Record<string, readonly Field[]>;

/** How the chain's headers are encoded. */
export type HeaderShape = keyof typeof ADDED;

/**
 * Whether the block's hash is that of its header. Nodes may show added fields of an upgrade that the chain does not have
 * yet, so each number of them is tried: a hash cannot be right by accident.
 */
export function isHashOfHeader(block: Record<string, unknown>, shape: HeaderShape): boolean {
  const added: readonly Field[] = ADDED[shape];
  const shown = added.findLastIndex(([name]) => block[name] !== undefined && block[name] !== null) + 1;
  const fields = [...COMMON, ...added.slice(0, shown)].map((field) => encodeField(block, field));
  for (let end = fields.length; end >= COMMON.length; end--) {
    if (`0x${Buffer.from(keccak_256(encodeRlp(fields.slice(0, end)))).toString('hex')}` === block['hash']) return true;
  }
  return false;
}

/** A field that is absent below one that is present is empty. */
function encodeField(block: Record<string, unknown>, [name, kind]: Field): RlpItem {
  const value = block[name] ?? null;
  if (value === null) return new Uint8Array();
  if (kind === 'quantity') return rlpNumber(toQuantity(value, name));
  const bytes = typeof value === 'string' && /^0x(?:[0-9a-fA-F]{2})*$/.test(value) ? value.slice(2) : null;
  if (bytes === null || (kind !== 'bytes' && bytes.length !== 2 * kind)) throw malformed(name);
  return Buffer.from(bytes, 'hex');
}
