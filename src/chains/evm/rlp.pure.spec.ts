import fc from 'fast-check';
import { toRlp, type Hex } from 'viem';
import { encodeRlp, rlpNumber, type RlpItem } from './rlp.pure.js';

type Nested = Hex | readonly Nested[];

/** The same item in the notation of an implementation that is not ours. */
function toNested(item: RlpItem): Nested {
  return item instanceof Uint8Array ? `0x${Buffer.from(item).toString('hex')}` : item.map(toNested);
}

describe('encodeRlp', () => {
  // The examples of the Ethereum wiki and the Yellow Paper.
  it.each<[string, RlpItem, string]>([
    ['a word', Buffer.from('dog'), '83646f67'],
    ['a list of words', [Buffer.from('cat'), Buffer.from('dog')], 'c88363617483646f67'],
    ['nothing', Buffer.alloc(0), '80'],
    ['an empty list', [], 'c0'],
    ['a zero byte', Buffer.from([0]), '00'],
    ['the last single byte', Buffer.from([0x7f]), '7f'],
    ['the first byte with a prefix', Buffer.from([0x80]), '8180'],
    ['nested lists', [[], [[]], [[], [[]]]], 'c7c0c1c0c3c0c1c0'],
    ['the longest short text', Buffer.alloc(55, 1), `b7${'01'.repeat(55)}`],
    ['the shortest long text', Buffer.alloc(56, 1), `b838${'01'.repeat(56)}`],
    ['a text with a length of two bytes', Buffer.alloc(256, 1), `b90100${'01'.repeat(256)}`],
    ['the shortest long list', Array.from({ length: 56 }, () => Buffer.from([1])), `f838${'01'.repeat(56)}`],
  ])('encodes %s', (_what, item, expected) => {
    expect(encodeRlp(item).toString('hex')).toBe(expected);
  });

  it('encodes whatever it is given as another implementation does', () => {
    const { item } = fc.letrec<{ item: RlpItem; bytes: Uint8Array; list: RlpItem[] }>((tie) => ({
      item: fc.oneof({ maxDepth: 4 }, tie('bytes'), tie('list')),
      bytes: fc.uint8Array({ maxLength: 300 }),
      list: fc.array(tie('item'), { maxLength: 20 }),
    }));
    fc.assert(
      fc.property(item, (one) => {
        expect(`0x${encodeRlp(one).toString('hex')}`).toBe(toRlp(toNested(one)));
      }),
    );
  });
});

describe('rlpNumber', () => {
  it.each<[bigint | number, string]>([
    [0, ''],
    [0n, ''],
    [1, '01'],
    [15n, '0f'],
    [16, '10'],
    [256n, '0100'],
    [2n ** 256n - 1n, 'ff'.repeat(32)],
  ])('of %p has no leading zeros', (value, expected) => {
    expect(rlpNumber(value).toString('hex')).toBe(expected);
  });
});
