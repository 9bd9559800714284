import { toHash, toList, toObject } from './evm-wire.pure.js';
import { encodeTransaction } from './transaction-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

/**
 * Whether the full transactions of a block are those that its header covers. True where that cannot be told, because one
 * of them is of a type that is not known here, as a state sync of Polygon.
 */
export function isListOfHeader(block: Record<string, unknown>): boolean {
  const encoded = toList(block['transactions'], 'transaction list').map((one) =>
    encodeTransaction(toObject(one, 'transaction')),
  );
  const known = encoded.filter((one) => one !== null);
  if (known.length < encoded.length) return true;
  return orderedTrieRoot(known) === toHash(block['transactionsRoot'], 'transactions root');
}
