import { assetCurrency, minQuotableAmount } from './payment-method.pure.js';

describe('minQuotableAmount', () => {
  it.each<[string, { asset: string; decimals: number }, bigint | undefined, bigint]>([
    ['the dust limit of a native coin', { asset: 'native', decimals: 8 }, 546n, 546n],
    [
      'one unit of a coin without a dust limit and with 8 decimals',
      { asset: 'native', decimals: 8 },
      undefined,
      1n,
    ],
    [
      'the eighth decimal of a coin with 18 decimals',
      { asset: 'native', decimals: 18 },
      undefined,
      10_000_000_000n,
    ],
    ['one unit of a token with 6 decimals', { asset: '0x01', decimals: 6 }, undefined, 1n],
    ['one unit of a token on a chain whose coin has a dust limit', { asset: '0x01', decimals: 6 }, 546n, 1n],
  ])('is %s', (_what, asset, dustLimit, least) => {
    const chain = dustLimit === undefined ? {} : { dustLimit };
    expect(minQuotableAmount({ chain, asset })).toBe(least);
  });
});

describe('assetCurrency', () => {
  it('has the decimals of the network instead of those of the currency', () => {
    const currency = assetCurrency({ currencyCode: 'USDT', decimals: 18 });
    expect([currency.code, currency.decimals]).toEqual(['USDT', 18]);
  });
});
