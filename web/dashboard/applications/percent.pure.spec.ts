import { bpsOf, percentOf } from './percent.pure.js';

it.each([
  [0, '0'],
  [1, '0.01'],
  [50, '0.5'],
  [950, '9.5'],
  [9_500, '95'],
  [9_905, '99.05'],
  [10_000, '100'],
])('%d hundredths of a percent are %s, and back', (bps, percent) => {
  expect(percentOf(bps)).toBe(percent);
  expect(bpsOf(percent)).toBe(bps);
});

it.each([
  ['0,5', 50],
  [' 95 ', 9_500],
  ['95.0', 9_500],
  ['', -1],
  ['95%', -1],
  ['-1', -1],
  ['1e2', -1],
  ['0.005', -1],
  ['1000', -1],
])('reads "%s" as %d', (text, bps) => {
  expect(bpsOf(text)).toBe(bps);
});
