import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { parsePrice, PriceList, printPrice, STUB_FIATS } from './rates-stub-prices.js';

describe('parsePrice', () => {
  it.each([
    ['3412.80', 34_128_000_000_000n],
    ['1', 10_000_000_000n],
    ['0.0000000001', 1n],
    ['999999999999999.9999999999', 9_999_999_999_999_999_999_999_999n],
  ])('%s', (text, expected) => {
    expect(parsePrice(text)).toBe(expected);
  });

  it.each(['', '0', '0.0', '-1', '1e3', '1.', '.5', '1.00000000001', '1,5', ' 1', 'NaN', '1234567890123456'])(
    'rejects "%s"',
    (text) => {
      expect(() => parsePrice(text)).toThrow('is not a price');
    },
  );
});

describe('printPrice', () => {
  it.each([
    [34_128_000_000_000n, 2, '3412.80'],
    [1n, 10, '0.0000000001'],
    [1n, 8, '0.00000000'],
    [19_999_999_999n, 5, '1.99999'],
  ])('prints %p with %p decimals', (price, decimals, expected) => {
    expect(printPrice(price, decimals)).toBe(expected);
  });
});

describe('PriceList', () => {
  const coins = new Set(CHAIN_CATALOG.flatMap(({ assets }) => assets.map((asset) => asset.currencyCode)));
  it.each([...coins])(
    'has a price of %s, which some chain of the catalog carries, in every currency',
    (coin) => {
      const missing = STUB_FIATS.filter((fiat) => new PriceList().find(coin, fiat) === null);
      expect(missing).toEqual([]);
    },
  );

  it('multiplies the dollar price by the exchange rate exactly', () => {
    // 3412.80 * 0.9215
    expect(printPrice(new PriceList().find('ETH', 'EUR') ?? 0n, 10)).toBe('3144.8952000000');
  });

  it('changes one pair and no other', () => {
    const prices = new PriceList();
    prices.set('ETH', 'USD', '3500.5');
    expect(printPrice(prices.find('ETH', 'USD') ?? 0n, 2)).toBe('3500.50');
    expect(printPrice(prices.find('ETH', 'EUR') ?? 0n, 2)).toBe('3144.89');
  });

  it.each([
    ['XDG', 'USD'],
    ['ETH', 'SEK'],
    ['constructor', 'USD'],
    ['ETH', '__proto__'],
  ])('has no pair %s/%s', (base, quote) => {
    const prices = new PriceList();
    expect(prices.find(base, quote)).toBeNull();
    expect(() => prices.set(base, quote, '1')).toThrow('no pair');
  });
});
