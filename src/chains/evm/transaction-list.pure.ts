import { toHash, toList, toObject } from './evm-wire.pure.js';
import { encodeTransaction, isEncodable } from './transaction-encoding.pure.js';
import { orderedTrieRoot } from './trie-root.pure.js';

/**
 * Whether the full transactions of a block are those that its header covers. True where that cannot be told, because one
 * of them is of a type that is not known here, as a state sync of Polygon. One that is not what its own hash says is none
 * of the header's.
 */
export function isListOfHeader(block: Record<string, unknown>): boolean {
  const shown = toList(block['transactions'], 'transaction list').map((one) => toObject(one, 'transaction'));
  if (!shown.every(isEncodable)) return true;
  const encoded = shown.map(encodeTransaction).filter((one) => one !== null);
  return (
    encoded.length === shown.length &&
    orderedTrieRoot(encoded) === toHash(block['transactionsRoot'], 'transactions root')
  );
}
