import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { defaultLargeAmounts } from './large-amounts.pure.js';

describe('defaultLargeAmounts', () => {
  it.each(
    CHAIN_CATALOG.filter(({ family }) => family === 'evm').map((chain) => [chain.slug, chain] as const),
  )('has an amount for every asset of %s', (_slug, { assets }) => {
    const codes = defaultLargeAmounts(assets).map(({ code }) => code);
    expect(codes.toSorted()).toEqual(assets.map(({ currencyCode }) => currencyCode).toSorted());
  });

  it('has none for a token that it does not know', () => {
    expect(defaultLargeAmounts([{ currencyCode: 'DAI' }])).toEqual([]);
  });
});
