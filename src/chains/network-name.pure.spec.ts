import { textsOf } from '../platform/kernel/i18n/texts.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { familiarName, networkOf } from './network-name.pure.js';

/** Every network that tokens are sent on. */
const OF_TOKENS = CHAIN_CATALOG.flatMap(({ slug, name, assets }) =>
  assets.map(({ tokenStandard }) => ({ slug, name, tokenStandard })),
).filter(({ tokenStandard }) => tokenStandard !== null);

describe('familiarName', () => {
  it.each([
    ['tron', 'TRC-20', 'Tron (TRC-20)'],
    ['tron', null, 'Tron'],
    ['bsc', 'BEP-20', 'BNB Smart Chain (BEP-20)'],
    ['ethereum', 'ERC-20', 'Ethereum (ERC-20)'],
    ['ethereum', null, 'Ethereum'],
    ['polygon', 'ERC-20', 'Polygon'],
    ['base', 'ERC-20', 'Base'],
    ['optimism', 'ERC-20', 'OP Mainnet (Optimism)'],
    ['optimism', null, 'OP Mainnet (Optimism)'],
    ['bitcoin', null, 'Bitcoin'],
  ] as const)('of %s, %s: %s', (slug, tokenStandard, shown) => {
    const name = CHAIN_CATALOG.find((chain) => chain.slug === slug)?.name ?? '';
    expect(familiarName({ slug, name, tokenStandard })).toBe(shown);
  });

  it('is another one for each network of a token, and each standard names one network', () => {
    const names = OF_TOKENS.map(familiarName);
    expect(new Set(names).size).toBe(new Set(OF_TOKENS.map(({ slug }) => slug)).size);
    for (const standard of ['ERC-20', 'BEP-20', 'TRC-20'])
      expect(new Set(names.filter((name) => name.includes(standard))).size).toBe(1);
  });
});

describe('networkOf', () => {
  const token = { standard: 'ERC-20' };
  it.each([
    [false, 'en', 'Ethereum (ERC-20)'],
    [true, 'en', 'Ethereum (ERC-20) test network'],
    [true, 'de', 'Ethereum (ERC-20) (Testnetz)'],
  ] as const)('of a network with testnet %s in %s: %s', (testnet, locale, shown) => {
    const blockchain = { slug: 'ethereum', name: 'Ethereum', testnet };
    expect(networkOf(textsOf(locale), { blockchain, token })).toBe(shown);
  });
});
