import { pageOf } from './event-page.pure.js';

it.each<[string, number[], number, number]>([
  ['none', [], 100, 0],
  ['all of them', [2_400, 2_400], 100, 2],
  ['no more than the limit', [2_400, 2_400, 2_400], 2, 2],
  ['an ordinary page of 25', Array.from({ length: 101 }, () => 2_400), 25, 25],
  ['no more than 64 kB', Array.from({ length: 101 }, () => 2_400), 100, 26],
  ['of flooded payments, three', [21_000, 21_000, 21_000, 21_000], 100, 3],
  ['one that is larger by itself', [90_000, 2_400], 100, 1],
  ['none beside one that is larger', [2_400, 90_000, 2_400], 100, 1],
])('a page has %s', (_what, sizes, limit, expected) => {
  const found = sizes.map((size) => ({ body: 'x'.repeat(size) }));
  expect(pageOf(found, limit)).toEqual(found.slice(0, expected));
});

it('counts bytes, not characters', () => {
  const found = Array.from({ length: 3 }, () => ({ body: '\u20ac'.repeat(10_000) }));
  expect(pageOf(found, 100)).toHaveLength(2);
});
