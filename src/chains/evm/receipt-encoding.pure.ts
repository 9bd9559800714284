import { toBytes, toCount, toList, toObject, toQuantity } from './evm-wire.pure.js';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';

/** Deposits of the OP Stack. */
const DEPOSIT = 0x7e;

/** As a block's `receiptsRoot` covers it: the type, unless it is legacy, and status, gas, bloom and logs (EIP-2718). */
export function encodeReceipt(receipt: Record<string, unknown>): Buffer {
  const type = toCount(receipt['type'] ?? '0x0', 'receipt type');
  const fields: RlpItem[] = [
    rlpNumber(toQuantity(receipt['status'], 'receipt status')),
    rlpNumber(toQuantity(receipt['cumulativeGasUsed'], 'receipt gas')),
    toBytes(receipt['logsBloom'], 'receipt bloom'),
    toList(receipt['logs'], 'receipt logs').map(encodeLog),
  ];
  // Since Canyon; the root of an earlier block does not cover the deposit's nonce.
  const version = receipt['depositReceiptVersion'] ?? null;
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
