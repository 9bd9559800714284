import { axisOf, barsOf, lineOf, peakOf } from './chart.pure.js';

const topOf = (values: bigint[]) => values.reduce((top, value) => (value > top ? value : top), 0n);
const heights = (values: bigint[]) => barsOf(values, topOf(values), 100, 50).map(({ height }) => height);

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
  const bars = barsOf([3n, 1n, 2n], 3n, 90, 50);
  for (const { y, height } of bars) expect(y + height).toBe(50);
  for (const [index, { x, width }] of bars.entries()) {
    expect(x).toBeGreaterThanOrEqual(index * 30);
    expect(x + width).toBeLessThanOrEqual((index + 1) * 30);
  }
});

it.each<[string, bigint[], bigint, string]>([
  ['no day', [], 0n, ''],
  ['one day', [5n], 10n, '0,25'],
  ['days without anything on the floor', [0n, 0n], 0n, '0,50 100,50'],
  ['days up to the highest line of the axis', [0n, 10n, 5n], 10n, '0,50 50,0 100,25'],
  ['amounts that no float holds', [10n ** 40n, 5n * 10n ** 39n], 10n ** 40n, '0,0 100,25'],
])('draws a line of %s', (_title, values, top, expected) => {
  expect(lineOf(values, top, 100, 50)).toBe(expected);
});

it.each<[bigint[], bigint[]]>([
  [[], [0n]],
  [[0n, 0n], [0n]],
  [[1n], [0n, 1n, 2n, 3n]],
  // 2.5 of the smallest unit cannot be.
  [[7n], [0n, 5n, 10n, 15n]],
  [[70n], [0n, 25n, 50n, 75n]],
  [
    [3n, 73_765n],
    [0n, 25_000n, 50_000n, 75_000n],
  ],
  [[75_000n], [0n, 25_000n, 50_000n, 75_000n]],
  [[75_001n], [0n, 50_000n, 100_000n, 150_000n]],
  [[10n ** 40n], [0n, 5n * 10n ** 39n, 10n ** 40n, 15n * 10n ** 39n]],
])('has round numbers beside %s', (values, expected) => {
  expect(axisOf(values)).toEqual(expected);
});

it.each<[bigint[], number | null]>([
  [[], null],
  [[0n, 0n], null],
  [[1n, 3n, 3n], 1],
  [[0n, 2n], 1],
])('finds the peak of %s', (values, expected) => {
  expect(peakOf(values)).toBe(expected);
});
