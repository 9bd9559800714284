import { keccak_256 } from '@noble/hashes/sha3.js';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';

/** A value under its key, one nibble per element. */
interface Entry {
  nibbles: readonly number[];
  value: Uint8Array;
}

/** A node of fewer bytes is part of its parent instead of being referred to by its hash. */
const HASHED_FROM = 32;
const BRANCHES = 16;
const NOTHING = new Uint8Array();

/**
 * Root of the Merkle Patricia trie of a list, as 0x and lower-case hexadecimal: each value is stored under the RLP of its
 * index (Ethereum Yellow Paper, appendix D). A header has that of its transactions and that of its receipts.
 */
export function orderedTrieRoot(values: readonly Uint8Array[]): string {
  const entries = values.map((value, i) => ({ nibbles: toNibbles(encodeRlp(rlpNumber(i))), value }));
  const root = entries.length === 0 ? NOTHING : nodeOf(entries, 0);
  return `0x${Buffer.from(keccak_256(encodeRlp(root))).toString('hex')}`;
}

/** @param depth nibbles of the keys that lead to this node */
function nodeOf(entries: readonly Entry[], depth: number): RlpItem {
  const [first] = entries;
  if (!first) return NOTHING;
  if (entries.length === 1) return [compact(first.nibbles.slice(depth), true), first.value];
  const shared = sharedLength(entries, depth);
  if (shared > 0)
    return [
      compact(first.nibbles.slice(depth, depth + shared), false),
      refer(nodeOf(entries, depth + shared)),
    ];
  const children = Array.from({ length: BRANCHES }, (_, nibble) => {
    const below = entries.filter(({ nibbles }) => nibbles[depth] === nibble);
    return below.length === 0 ? NOTHING : refer(nodeOf(below, depth + 1));
  });
  return [...children, entries.find(({ nibbles }) => nibbles.length === depth)?.value ?? NOTHING];
}

function refer(node: RlpItem): RlpItem {
  const encoded = encodeRlp(node);
  return encoded.length < HASHED_FROM ? node : keccak_256(encoded);
}

function sharedLength([first, ...others]: readonly Entry[], depth: number): number {
  if (!first) return 0;
  let end = depth;
  while (end < first.nibbles.length && others.every(({ nibbles }) => nibbles[end] === first.nibbles[end]))
    end++;
  return end - depth;
}

/** Hex-prefix encoding: the first nibble says whether the node is a leaf, and whether the number of nibbles is odd. */
function compact(nibbles: readonly number[], isLeaf: boolean): Buffer {
  const flag = (isLeaf ? 2 : 0) + (nibbles.length % 2);
  const all = nibbles.length % 2 === 1 ? [flag, ...nibbles] : [flag, 0, ...nibbles];
  return Buffer.from(all.map((nibble) => nibble.toString(16)).join(''), 'hex');
}

function toNibbles(bytes: Uint8Array): number[] {
  return [...bytes].flatMap((byte) => [byte >> 4, byte & 15]);
}
