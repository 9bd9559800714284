import { numberSize } from './number-size.pure.js';

it.each([
  [0, null],
  [8, null],
  [9, 12],
  [12, 12],
  [13, 16],
  [20, 20],
  [21, 26],
  [27, 36],
  [36, 36],
  [90, 36],
])('a number of %d characters has the size for %s', (length, size) => {
  expect(numberSize('1'.repeat(length))).toBe(size);
});
