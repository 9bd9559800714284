import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';
import { toBytes, toCount, toHash, toList, toObject, toQuantity } from './evm-wire.pure.js';

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
/** Absent where it is false. */
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
    return [number('chainId'), bytes('address'), number('nonce'), parity, number('r'), number('s')].map(
      (encode) => encode(one),
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
  [
    3,
    [
      CHAIN,
      NONCE,
      ...FEES,
      TO,
      VALUE,
      DATA,
      accessList,
      number('maxFeePerBlobGas'),
      blobHashes,
      ...SIGNATURE,
    ],
  ],
  [4, [CHAIN, NONCE, ...FEES, TO, VALUE, DATA, accessList, authorizations, ...SIGNATURE]],
  // Arbitrum's own, at the start of each block.
  [0x6a, [CHAIN, DATA]],
  // Deposits of the OP Stack, with which each block begins.
  [
    0x7e,
    [bytes('sourceHash'), bytes('from'), TO, number('mint'), VALUE, number('gas'), flag('isSystemTx'), DATA],
  ],
]);

/** Whether {@link encodeTransaction} can encode transactions of its type. */
export function isEncodable(transaction: Transaction): boolean {
  return FIELDS.has(typeOf(transaction));
}

/**
 * A transaction as its block's `transactionsRoot` covers it (EIP-2718), from its fields, among them recipient and value.
 * Null when its type is not known, or its hash is not that of its fields.
 * @param transaction as JSON-RPC shows it
 */
export function encodeTransaction(transaction: Transaction): Buffer | null {
  const type = typeOf(transaction);
  const fields = FIELDS.get(type);
  if (!fields) return null;
  const payload = encodeRlp(fields.map((encode) => encode(transaction)));
  const encoded = type === 0 ? payload : Buffer.concat([Buffer.from([type]), payload]);
  return hashOf(encoded) === toHash(transaction['hash'], 'transaction hash') ? encoded : null;
}

/** Of an encoded transaction, as 0x and lower-case hexadecimal. */
export function hashOf(encoded: Uint8Array): string {
  return `0x${Buffer.from(keccak_256(encoded)).toString('hex')}`;
}

function typeOf(transaction: Transaction): number {
  return toCount(transaction['type'] ?? '0x0', 'transaction type');
}
