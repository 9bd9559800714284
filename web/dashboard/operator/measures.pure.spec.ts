import { formatBytes, formatDuration, secondsFrom } from './measures.pure.js';

it.each([
  [0, false, '0 byte'],
  [999, false, '999 byte'],
  [1_000, false, '1 kB'],
  [2_254_857_830, false, '2.3 GB'],
  [65_498_251_264, false, '65 GB'],
  [9_000_000_000_000_000, false, '9,000 TB'],
  [5_242_880, true, '+5.2 MB'],
  [-5_242_880, true, '-5.2 MB'],
  [0, true, '0 byte'],
])('%i bytes', (bytes, isChange, text) => {
  expect(formatBytes(bytes, 'en', isChange)).toBe(text);
});

const NOW = '2026-01-15T12:00:00Z';

it('has the digits of a wallet in every language', () => {
  expect(formatBytes(2_254_857_830, 'fa')).toMatch(/2[.٫]3/);
});

it('counts nothing before it happened', () => {
  expect(secondsFrom('2026-01-15T12:00:01Z', NOW)).toBe(0);
});

it('writes milliseconds', () => {
  expect(formatDuration(1_080, 'en')).toBe('1,080 ms');
});
