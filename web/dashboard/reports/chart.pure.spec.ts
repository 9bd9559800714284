import { barsOf, peakOf } from './chart.pure.js';

const heights = (values: bigint[]) => barsOf(values, 100, 50).map(({ height }) => height);

it.each<[string, bigint[], number[]]>([
  ['nothing', [], []],
  ['only zeros', [0n, 0n], [0, 0]],
  ['halves', [5n, 10n], [25, 50]],
  ['one that would be less than a pixel', [1n, 10n ** 30n], [1, 50]],
  ['amounts that no float holds', [10n ** 40n, 5n * 10n ** 39n], [50, 25]],
])('draws %s', (_title, values, expected) => {
  expect(heights(values)).toEqual(expected);
});

it('lets bars stand on the floor, side by side within the width', () => {
  const bars = barsOf([3n, 1n, 2n], 90, 50);
  for (const { y, height } of bars) expect(y + height).toBe(50);
  for (const [index, { x, width }] of bars.entries()) {
    expect(x).toBeGreaterThanOrEqual(index * 30);
    expect(x + width).toBeLessThanOrEqual((index + 1) * 30);
  }
});

it.each<[bigint[], number | null]>([
  [[], null],
  [[0n, 0n], null],
  [[1n, 3n, 3n], 1],
  [[0n, 2n], 1],
])('finds the peak of %s', (values, expected) => {
  expect(peakOf(values)).toBe(expected);
});
