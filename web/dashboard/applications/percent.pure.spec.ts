import { findBps, percentOf } from './percent.pure.js';

it.each([
  [0, '0'],
  [1, '0.01'],
  [50, '0.5'],
  [950, '9.5'],
  [9_500, '95'],
  [9_905, '99.05'],
  [10_000, '100'],
])('%d hundredths of a percent are %s, and back', (bps, percent) => {
  expect(percentOf(bps, 'en')).toBe(percent);
  expect(findBps(percent, 0, 'en')).toBe(bps);
});

it.each([
  ['en', '0,5', 50],
  ['de', '95,5', 9_550],
  ['en', ' 95 ', 9_500],
  ['en', '95.0', 9_500],
  ['en', '95%', 9_500],
  ['de', '95,5 %', 9_550],
  ['ar', '٩٥٪', 9_500],
  ['hi', '९५', 9_500],
  ['en', '', null],
  ['en', '%', null],
  ['en', '-1', null],
  ['en', '1e2', null],
  ['en', '0.005', null],
  ['en', '100.01', null],
  ['en', '120', null],
  ['en', '1000', null],
] as const)('reads in %s "%s" as %p', (locale, text, bps) => {
  expect(findBps(text, 0, locale)).toBe(bps);
});

it('refuses less than the least', () => {
  expect(findBps('0', 1, 'en')).toBeNull();
});

it('writes as the language does', () => {
  expect(percentOf(9_550, 'de')).toBe('95,5');
});
