import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';
import { toBytes, toCount, toList, toObject, toQuantity } from './evm-wire.pure.js';

type Transaction = Record<string, unknown>;
type Encode = (of: Transaction) => RlpItem;

const number =
  (name: string): Encode =>
  (of) =>
    rlpNumber(toQuantity(of[name] ?? '0x0', name));
/** Empty where the transaction has none, such as the recipient of a contract creation. */
const bytes =
  (name: string): Encode =>
  (of) =>
    toBytes(of[name] ?? '0x', name);
/** A field that is `null` in JSON when it is zero. */
const flag =
  (name: string): Encode =>
  (of) =>
    rlpNumber(of[name] === true ? 1 : 0);
const accessList: Encode = (of) =>
  toList(of['accessList'] ?? [], 'access list').map((entry) => {
    const { address, storageKeys } = toObject(entry, 'access list');
    return [
      toBytes(address, 'access list'),
      toList(storageKeys, 'access list').map((key) => toBytes(key, 'access list')),
    ];
  });
const blobHashes: Encode = (of) =>
  toList(of['blobVersionedHashes'] ?? [], 'blob hashes').map((hash) => toBytes(hash, 'blob hash'));
const authorizations: Encode = (of) =>
  toList(of['authorizationList'] ?? [], 'authorizations').map((entry) => {
    const one = toObject(entry, 'authorization');
    return [number('chainId'), bytes('address'), number('nonce'), parity, number('r'), number('s')].map((encode) =>
      encode(one),
    );
  });
const parity: Encode = (of) => rlpNumber(toQuantity(of['yParity'] ?? of['v'], 'parity'));

const [TO, VALUE, DATA] = [bytes('to'), number('value'), bytes('input')];
const SIGNATURE = [parity, number('r'), number('s')];
const FEES = [number('maxPriorityFeePerGas'), number('maxFeePerGas'), number('gas')];
const [CHAIN, NONCE] = [number('chainId'), number('nonce')];

/** Fields by type. */
const FIELDS: ReadonlyMap<number, readonly Encode[]> = new Map([
  // Legacy, EIP-2930, EIP-1559, EIP-4844, EIP-7702.
  [0, [NONCE, number('gasPrice'), number('gas'), TO, VALUE, DATA, number('v'), number('r'), number('s')]],
  [1, [CHAIN, NONCE, number('gasPrice'), number('gas'), TO, VALUE, DATA, accessList, ...SIGNATURE]],
  [2, [CHAIN, NONCE, ...FEES, TO, VALUE, DATA, accessList, ...SIGNATURE]],
  [3, [CHAIN, NONCE, ...FEES, TO, VALUE, DATA, accessList, number('maxFeePerBlobGas'), blobHashes, ...SIGNATURE]],
  [4, [CHAIN, NONCE, ...FEES, TO, VALUE, DATA, accessList, authorizations, ...SIGNATURE]],
  // Arbitrum's own, at the start of each block.
  [0x6a, [CHAIN, DATA]],
  // Deposits of the OP Stack, with which each block begins.
  [
    0x7e,
    [bytes('sourceHash'), bytes('from'), TO, number('mint'), VALUE, number('gas'), flag('isSystemTx'), DATA],
  ],
]);

/**
 * Hashes of a block's transactions that its header covers by `transactionsRoot`. Each is encoded from its fields, among
 * them recipient and value, and must have its own hash. Polygon's nodes append a state sync, which the root does not cover
 * before the upgrade Madhugiri. Null: a type is unknown, or the root is of others.
 */
export function coveredTransactions(transactions: readonly unknown[], transactionsRoot: unknown): Set<string> | null {
  const encoded = transactions.map((one) => encodeTransaction(toObject(one, 'transaction')));
  const known = encoded.findIndex((one) => one === null);
  const leading = encoded.slice(0, known === -1 ? undefined : known).filter((one) => one !== null);
  // Only the last may be an appended one.
  if (leading.length < transactions.length - 1 || orderedTrieRoot(leading) !== transactionsRoot) return null;
  return new Set(leading.map(hashOf));
}

/** Null when its type is unknown, or its fields do not have its hash. */
function encodeTransaction(transaction: Transaction): Buffer | null {
  const type = toCount(transaction['type'] ?? '0x0', 'transaction type');
  const fields = FIELDS.get(type);
  if (!fields) return null;
  const payload = encodeRlp(fields.map((encode) => encode(transaction)));
  const encoded = type === 0 ? payload : Buffer.concat([Buffer.from([type]), payload]);
  return hashOf(encoded) === transaction['hash'] ? encoded : null;
}

function hashOf(encoded: Buffer): string {
  return `0x${Buffer.from(keccak_256(encoded)).toString('hex')}`;
}
