import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';
import { toBytes, toCount, toList, toObject, toQuantity } from './evm-wire.pure.js';

/** Deposits of the OP Stack. */
const DEPOSIT = 0x7e;

/**
 * Whether these are all receipts of a block, in order, as its header states by `receiptsRoot`. Polygon's nodes append the
 * receipt of a state sync, which the root does not cover before the upgrade Madhugiri; then it is left out.
 * @returns how many of the receipts, from the first on, the root covers; 0: it is of others
 */
export function coveredReceipts(receipts: readonly unknown[], receiptsRoot: unknown): number {
  const encoded = receipts.map(encodeReceipt);
  if (orderedTrieRoot(encoded) === receiptsRoot) return receipts.length;
  const isAppended = toObject(receipts.at(-1) ?? {}, 'receipt')['from'] === `0x${'0'.repeat(40)}`;
  return isAppended && orderedTrieRoot(encoded.slice(0, -1)) === receiptsRoot ? receipts.length - 1 : 0;
}

/** EIP-2718: the type, unless it is legacy, and the RLP of status, gas, bloom and logs. */
function encodeReceipt(value: unknown): Buffer {
  const receipt = toObject(value, 'receipt');
  const type = toCount(receipt['type'] ?? '0x0', 'receipt type');
  const fields: RlpItem[] = [
    rlpNumber(toQuantity(receipt['status'], 'receipt status')),
    rlpNumber(toQuantity(receipt['cumulativeGasUsed'], 'receipt gas')),
    toBytes(receipt['logsBloom'], 'receipt bloom'),
    toList(receipt['logs'], 'receipt logs').map(encodeLog),
  ];
  const version = receipt['depositReceiptVersion'] ?? null;
  // Since Canyon; before, the root does not cover the deposit's nonce.
  if (type === DEPOSIT && version !== null) {
    fields.push(rlpNumber(toQuantity(receipt['depositNonce'], 'deposit nonce')));
    fields.push(rlpNumber(toQuantity(version, 'deposit receipt version')));
  }
  const payload = encodeRlp(fields);
  return type === 0 ? payload : Buffer.concat([Buffer.from([type]), payload]);
}

function encodeLog(value: unknown): RlpItem {
  const log = toObject(value, 'log');
  return [
    toBytes(log['address'], 'log address'),
    toList(log['topics'], 'log topics').map((topic) => toBytes(topic, 'log topic')),
    toBytes(log['data'], 'log data'),
  ];
}
