import { orderedTrieRoot } from './trie-root.pure.js';

const values = (count: number, length: number) =>
  Array.from({ length: count }, (_, i) => Buffer.alloc(length, (i % 255) + 1));

// Roots of real blocks are in the specs of what they hold, and those of long lists in test/evm-proofs.e2e-spec.ts.
describe('orderedTrieRoot', () => {
  it('of nothing is that of every block without transactions', () => {
    expect(orderedTrieRoot([])).toBe('0x56e81f171bcc55a6ff8345e692c0f86e5b48e01b996cadc001622fb5e363b421');
  });

  it('depends on every value and on the order', () => {
    const list = values(20, 40);
    const roots = list.map((_, i) => orderedTrieRoot(list.with(i, Buffer.alloc(40, 0xff))));
    const others = [list, list.toReversed(), list.slice(1), list.slice(0, -1), [...list, Buffer.from([1])]];
    expect(new Set([...roots, ...others.map(orderedTrieRoot)]).size).toBe(25);
  });
});
