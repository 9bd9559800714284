import { readPrices } from './stored-prices.pure.js';

describe('the prices stored with a quote', () => {
  const kraken = { source: 'kraken', value: '2000.10' };
  it.each([
    ['none', [], []],
    ['one, with its time', [{ ...kraken, fetchedAt: '2026-01-15T10:00:00.000Z' }], [kraken]],
    ['one that has no value', [{ source: 'coinbase' }, kraken], [kraken]],
    ['a number', [{ source: 'coinbase', value: 2000 }], []],
    ['null in the list', [null], []],
    ['no list', { source: 'kraken', value: '1' }, []],
    ['null', null, []],
  ])('%s', (_name, stored, prices) => {
    expect(readPrices(stored)).toEqual(prices);
  });
});
