import { presentAmount } from '../../money/present-amount.js';
import { getCurrency } from '../../money/currencies.js';
import { plainAmount, rateSources } from './page-text.js';

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
