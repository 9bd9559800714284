import { keccak_256 } from '@noble/hashes/sha3.js';
import { malformed, toBytes, toHash, toQuantity } from './evm-wire.pure.js';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';

/** A field of a header in JSON-RPC: its length in bytes, or what it is. */
type Field = readonly [name: string, kind: number | 'quantity' | 'bytes'];

/** Of every block (Ethereum Yellow Paper, 4.3). */
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

/**
 * What upgrades have added at the end, oldest first: London, Shanghai, Cancun (three), Prague. Every chain with
 * `provable` in evm-chains.pure.ts has these in this order, up to one of them: Polygon's producers sign inside
 * `extraData`; `milliTimestamp` of BNB Smart Chain is a part of `mixHash` (BEP-520); Arbitrum's `sendRoot` is in
 * `extraData`, and its other numbers are in `mixHash`.
 */
const ADDED: readonly Field[] = [
  ['baseFeePerGas', 'quantity'],
  ['withdrawalsRoot', 32],
  ['blobGasUsed', 'quantity'],
  ['excessBlobGas', 'quantity'],
  ['parentBeaconBlockRoot', 32],
  ['requestsHash', 32],
];

/**
 * Whether a block's hash is that of its header. Some nodes show fields of an upgrade that the chain does not have, so each
 * number of added fields is tried: no other header has the same hash.
 * @param block as JSON-RPC shows it
 */
export function isHashOfHeader(block: Record<string, unknown>): boolean {
  const claimed = toHash(block['hash'], 'block hash');
  const shown = ADDED.findLastIndex(([name]) => (block[name] ?? null) !== null) + 1;
  const fields = [...COMMON, ...ADDED.slice(0, shown)].map((field) => encodeField(block, field));
  for (let end = fields.length; end >= COMMON.length; end--) {
    const hash = Buffer.from(keccak_256(encodeRlp(fields.slice(0, end)))).toString('hex');
    if (`0x${hash}` === claimed) return true;
  }
  return false;
}

/** A field that is absent below one that is present is empty. */
function encodeField(block: Record<string, unknown>, [name, kind]: Field): RlpItem {
  const value = block[name] ?? null;
  if (value === null) return new Uint8Array();
  if (kind === 'quantity') return rlpNumber(toQuantity(value, name));
  const bytes = toBytes(value, name);
  if (kind !== 'bytes' && bytes.length !== kind) throw malformed(name);
  return bytes;
}
