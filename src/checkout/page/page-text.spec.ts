import { presentAmount } from '../../money/present-amount.js';
import { getCurrency } from '../../money/currencies.js';
import { aboutDuration, plainAmount, rateSources, utcTime } from './page-text.js';

describe('utcTime', () => {
  it.each([
    ['2026-01-15T14:32:59Z', '2026-01-15T00:00:00Z', '14:32 UTC'],
    ['2026-01-16T00:05:00Z', '2026-01-15T23:55:00Z', '16 January 2026, 00:05 UTC'],
    ['2027-12-01T09:00:00Z', '2026-12-01T09:00:00Z', '1 December 2027, 09:00 UTC'],
  ])('formats %s at %s as %s', (iso, now, text) => {
    expect(utcTime(iso, now)).toBe(text);
  });
});

describe('aboutDuration', () => {
  it.each([
    [0, 'less than a minute'],
    [59, 'less than a minute'],
    [60, 'about 1 minute'],
    [144, 'about 2 minutes'],
    [3_600, 'about 60 minutes'],
    [5_400, 'about 2 hours'],
  ])('describes %i s as %s', (seconds, text) => {
    expect(aboutDuration(seconds)).toBe(text);
  });
});

describe('plainAmount', () => {
  it.each([
    ['ETH', 1_500_000_000_000_000_001n, '1.500000000000000001'],
    ['ETH', 1n, '0.000000000000000001'],
    ['BTC', 155_470n, '0.0015547'],
    ['USDT', 1_000_000n, '1'],
    ['USDT', 1_234_567_000_000n, '1234567'],
    ['USDT', 0n, '0'],
  ])('%s', (code, atomic, text) => {
    expect(plainAmount(presentAmount(atomic, getCurrency(code)))).toBe(text);
  });

  it('has no point for a currency without fractions', () => {
    expect(plainAmount({ atomic: '120', decimals: 0 })).toBe('120');
  });
});

it.each([
  ['median(kraken,coinbase)', ['Kraken', 'Coinbase']],
  ['kraken', ['Kraken']],
  ['identity', []],
])('rateSources of %s', (source, names) => {
  expect(rateSources(source)).toEqual(names);
});
