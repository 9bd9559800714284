import { AMOUNTS, decimalOf, formatCount, formatMoney, formatTime, shortened } from './format.pure.js';

it.each([
  ['2550', 2, '25.50'],
  ['5', 2, '0.05'],
  ['0', 0, '0'],
  ['-5', 2, '-0.05'],
  ['123456789012345678901', 18, '123.456789012345678901'],
])('%s with %d decimals is %s', (atomic, decimals, text) => {
  expect(decimalOf(atomic, decimals)).toBe(text);
});

it.each([
  ['2550', 2, 'EUR', 'en', '€25.50'],
  ['2550', 2, 'EUR', 'de', '25,50 €'],
  ['2550', 2, 'USD', 'fa', '$ 25.50'],
  ['25000000', 6, 'USDC', 'en', '25 USDC'],
  ['1', 18, 'ETH', 'en', '0.000000000000000001 ETH'],
])('%s (%d) of %s in %s', (atomic, decimals, code, locale, text) => {
  const shown = formatMoney({ atomic, decimals, currency: { code } }, locale);
  expect(shown.replaceAll('\u{a0}', ' ').replace(/[\u200e\u200f]/g, '')).toBe(
    `\u{2066}${text.replace(/[\u200e\u200f]/g, '')}\u{2069}`,
  );
  // As Figures takes a sentence apart.
  expect(`(${shown})`.split(AMOUNTS)).toEqual(['(', shown.slice(1, -1), ')']);
});

it.each([
  ['0x52908400098527886E0F7030069857D2E4169EE7', '0x5290…9EE7'],
  ['bc1qshort', 'bc1qshort'],
  ['bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4', 'bc1q…f3t4'],
])('%s is shortened to %s', (hash, text) => {
  expect(shortened(hash)).toBe(text);
});

it.each([
  [0, 'en', '0'],
  [999, 'en', '999'],
  // The gateway stops counting here: there may be more.
  [1_000, 'en', '1,000+'],
  [1_900, 'de', '1.000+'],
  [1_000, 'ar', '1,000+'],
])('%d that wait are %s: %s', (count, locale, text) => {
  expect(formatCount(count, locale)).toBe(text);
});

it('tells two moments of one minute apart, and says the zone', () => {
  const [first, second] = ['2026-11-30T15:04:05Z', '2026-11-30T15:04:06Z'].map((at) => formatTime(at, 'en'));
  expect(first).toMatch(/:04:05.*(GMT|UTC|[A-Z]{3,4})/);
  expect(second).not.toBe(first);
});

it.each(['en', 'de', 'ar', 'fa', 'ja', 'zh-Hans', 'hi', 'ru'])('breaks no clock in %s', (locale) => {
  const time = formatTime('2026-11-30T15:04:05Z', locale);
  expect(time).toMatch(/:04:05|04分05秒|04:05/);
  expect(time.slice(time.indexOf('04'))).not.toMatch(/[ \u202f]/);
});
