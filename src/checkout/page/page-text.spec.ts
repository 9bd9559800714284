import { presentAmount } from '../../money/present-amount.js';
import { getCurrency } from '../../money/currencies.js';
import { plainAmount, rateSources, roundedRate } from './page-text.js';

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

describe('roundedRate', () => {
  it.each([
    ['2000', '200000', 2, true],
    ['0.9198', '9198', 4, true],
    ['0.919781234', '9198', 4, false],
    ['0.91974999', '9197', 4, false],
    ['0.99995', '100', 2, false],
    ['1.0000', '100', 2, true],
    ['1.08735', '10874', 4, false],
    ['64321.129', '6432113', 2, false],
    ['64321.120000', '6432112', 2, true],
    ['0.000008123456', '8123', 9, false],
    ['0.0812', '812', 4, true],
    ['0', '0', 4, true],
  ])('%s is %s with %d decimals', (value, atomic, decimals, isExact) => {
    expect(roundedRate(value)).toMatchObject(value === '0' ? { isExact } : { atomic, decimals, isExact });
  });
});
