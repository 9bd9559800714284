import { ChainInconsistencyError, type BlockHeader, type ObservedTransfer } from '../chain-adapter.pure.js';
import { readTransferLog } from './evm-transfer-logs.pure.js';
import {
  type EvmReceipt,
  toAddress,
  toHash,
  toHeaderFields,
  toList,
  toObject,
  toQuantity,
  toReceipt,
} from './evm-wire.pure.js';
import { isHashOfHeader } from './header-hash.pure.js';
import { encodeReceipt } from './receipt-encoding.pure.js';
import { encodeTransaction, hashOf, isEncodable } from './transaction-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

type Json = Record<string, unknown>;

/** A part of the block is not what the block's hash says. */
export class BlockForgedError extends ChainInconsistencyError {}

/** A root of the header is not that of the items shown; perhaps because this chain encodes them in a way unknown here. */
export class RootMismatchError extends BlockForgedError {}

/** A transaction as the block shows it; `encoded` is null when its fields do not have its hash, or their order is not known. */
interface ShownTransaction {
  hash: string;
  fields: Json;
  encoded: Buffer | null;
}

/** A block with full transactions, as a node shows it. */
export interface ShownBlock {
  json: Json;
  /** Whether the block's hash is that of its header. */
  isHashed: boolean;
  transactions: readonly ShownTransaction[];
}

/** @throws ChainInconsistencyError when it is another block than the one that was observed */
export function readShownBlock(reply: unknown, observed: BlockHeader): ShownBlock {
  const json = toObject(reply, 'block');
  const { height, hash, parentHash, time } = toHeaderFields(json);
  const isSame =
    hash === observed.hash &&
    height === observed.height &&
    parentHash === observed.parentHash &&
    time.getTime() === observed.time.getTime();
  if (!isSame) throw new BlockForgedError('the node showed the same block with another header');
  const transactions = toList(json['transactions'], 'transaction list').map((one): ShownTransaction => {
    const fields = toObject(one, 'transaction');
    return { fields, hash: toHash(fields['hash'], 'transaction hash'), encoded: encodeTransaction(fields) };
  });
  return { json, isHashed: isHashOfHeader(json), transactions };
}

/** Hashes of the transactions whose signed bytes are needed, because their fields do not tell them. */
export function missingBytes({ json, transactions }: ShownBlock): string[] {
  const isComplete =
    coveredCount(
      transactions.map(({ encoded }) => encoded),
      json['transactionsRoot'],
    ) > 0;
  return isComplete ? [] : transactions.flatMap(({ hash, encoded }) => (encoded ? [] : [hash]));
}

/**
 * Whether the header covers what the transfers come from.
 * @param bytes of transactions, by hash; others are ignored
 * @param receipts of all transactions, in order
 * @returns what is missing for the proof; null: it is complete, except for the amounts of internal payments, which no block covers
 * @throws BlockForgedError when the header covers something else
 */
export function checkProof(
  { json, transactions }: ShownBlock,
  receipts: readonly unknown[],
  bytes: ReadonlyMap<string, Buffer>,
  transfers: readonly ObservedTransfer[],
): string | null {
  const encoded = transactions.map(({ hash, encoded: own }) => own ?? bytesOf(hash, bytes));
  const unknown = transactions.find(({ fields }) => !isEncodable(fields));
  const type = `transaction ${unknown?.hash} is of type ${String(unknown?.fields['type'])}`;
  const count = coveredCount(encoded, json['transactionsRoot']);
  if (count === 0) {
    if (unknown && encoded.includes(null)) return `${type}, and its bytes are not shown`;
    throw new RootMismatchError('the transactions are not those of the header');
  }
  const list = receipts.map((one) => toObject(one, 'receipt'));
  const receiptCount = coveredCount(list.map(encodeReceipt), json['receiptsRoot']);
  if (receiptCount === 0) {
    // A chain may encode receipts of its own types in its own way.
    if (unknown) return `${type}, whose receipt cannot be read`;
    throw new RootMismatchError('the receipts are not those of the header');
  }
  const covered = transactions.slice(0, Math.min(count, receiptCount));
  for (const transfer of transfers) {
    const at = covered.findIndex(({ hash }) => hash === transfer.txHash);
    const transaction = covered[at];
    if (!transaction) throw new BlockForgedError(`the header does not cover transaction ${transfer.txHash}`);
    const lacks = checkTransfer(transfer, transaction, toReceipt(list[at]));
    if (lacks !== null) return lacks;
  }
  return null;
}

function checkTransfer(
  { txHash, ordinal, asset, key, amount }: ObservedTransfer,
  { fields, encoded }: ShownTransaction,
  receipt: EvmReceipt,
): string | null {
  const forged = new BlockForgedError(`transaction ${txHash} does not transfer what the node showed`);
  if (!receipt.succeeded || receipt.transactionHash !== txHash) throw forged;
  if (ordinal.startsWith('log:')) {
    const log = receipt.logs[Number(ordinal.slice('log:'.length))];
    const shown = log && readTransferLog(log, new Set([asset]));
    if (!shown?.key.equals(key) || shown.amount !== amount) throw forged;
    return null;
  }
  if (ordinal !== 'value') return null;
  if (encoded === null) {
    if (isEncodable(fields)) throw forged;
    return `transaction ${txHash} is of type ${String(fields['type'])}, whose recipient and amount cannot be read`;
  }
  const to = Buffer.from(toAddress(fields['to'], 'recipient').slice(2), 'hex');
  if (!to.equals(key) || toQuantity(fields['value'], 'value') !== amount) throw forged;
  return null;
}

/**
 * How many of the leading items a root covers: all, or all but the last, because Polygon's nodes append a state sync which
 * the roots did not cover before the upgrade Madhugiri. 0: it is the root of others.
 */
function coveredCount(encoded: readonly (Buffer | null)[], root: unknown): number {
  const expected = toHash(root, 'root');
  for (const count of [encoded.length, encoded.length - 1]) {
    const leading = encoded.slice(0, Math.max(count, 0)).filter((one) => one !== null);
    if (count > 0 && leading.length === count && orderedTrieRoot(leading) === expected) return count;
  }
  return 0;
}

function bytesOf(hash: string, bytes: ReadonlyMap<string, Buffer>): Buffer | null {
  const found = bytes.get(hash);
  return found && hashOf(found) === hash ? found : null;
}
