import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { familiarName, feeClassOf, type NetworkOfAsset } from './network-facts.pure.js';

const NETWORKS: NetworkOfAsset[] = CHAIN_CATALOG.flatMap(({ slug, name, assets }) =>
  assets.map(({ tokenStandard }) => ({ slug, name, tokenStandard })),
);

describe('familiarName', () => {
  it.each([
    ['tron', 'TRC-20', 'Tron (TRC-20)'],
    ['tron', null, 'Tron'],
    ['bsc', 'BEP-20', 'BNB Smart Chain (BEP-20)'],
    ['ethereum', 'ERC-20', 'Ethereum (ERC-20)'],
    ['polygon', 'ERC-20', 'Polygon'],
    ['base', 'ERC-20', 'Base'],
    ['optimism', 'ERC-20', 'OP Mainnet (Optimism)'],
    ['optimism', null, 'OP Mainnet (Optimism)'],
    ['bitcoin', null, 'Bitcoin'],
  ] as const)('of %s, %s: %s', (slug, tokenStandard, shown) => {
    const name = CHAIN_CATALOG.find((chain) => chain.slug === slug)?.name ?? '';
    expect(familiarName({ slug, name, tokenStandard })).toBe(shown);
  });

  it('is another one for each network of a token', () => {
    const names = NETWORKS.filter(({ tokenStandard }) => tokenStandard !== null).map(familiarName);
    const slugs = NETWORKS.filter(({ tokenStandard }) => tokenStandard !== null).map(({ slug }) => slug);
    expect(new Set(names).size).toBe(new Set(slugs).size);
  });
});

describe('feeClassOf', () => {
  it('of every network of the catalog', () => {
    const classes = Object.fromEntries(
      NETWORKS.map((network) => [
        `${network.slug}, ${network.tokenStandard === null ? 'coin' : 'token'}`,
        feeClassOf(network),
      ]),
    );
    expect(classes).toEqual({
      'arbitrum, coin': 'low',
      'arbitrum, token': 'low',
      'avalanche, coin': 'low',
      'avalanche, token': 'low',
      'base, coin': 'low',
      'base, token': 'low',
      'bitcoin, coin': 'high',
      'bitcoincash, coin': 'low',
      'bsc, coin': 'low',
      'bsc, token': 'low',
      'dogecoin, coin': 'low',
      'ethereum, coin': 'high',
      'ethereum, token': 'high',
      'litecoin, coin': 'low',
      'optimism, coin': 'low',
      'optimism, token': 'low',
      'polygon, coin': 'low',
      'polygon, token': 'low',
      'tron, coin': 'low',
      'tron, token': 'medium',
    });
  });
});
