import { toHash, toList, toObject } from './evm-wire.pure.js';
import { encodeTransaction } from './transaction-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

/**
 * Whether the full transactions of a block are those that its header covers. True where that cannot be told, because one
 * of them is of a type that is not known here.
 */
export function isListOfHeader(block: Record<string, unknown>): boolean {
  const encoded = toList(block['transactions'], 'transaction list').map((one) =>
    encodeTransaction(toObject(one, 'transaction')),
  );
  const known = encoded.filter((one) => one !== null);
  if (known.length < encoded.length) return true;
  const root = toHash(block['transactionsRoot'], 'transactions root');
  // Polygon's nodes append a state sync, which the root did not cover before the upgrade Madhugiri.
  return (
    orderedTrieRoot(known) === root || (known.length > 1 && orderedTrieRoot(known.slice(0, -1)) === root)
  );
}
