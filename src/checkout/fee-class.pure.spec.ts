import { CHAIN_CATALOG } from '../chains/chain-catalog.pure.js';
import { feeClassOf } from './fee-class.pure.js';

const NETWORKS = CHAIN_CATALOG.flatMap(({ slug, assets }) =>
  assets.map(({ tokenStandard }) => ({ slug, tokenStandard })),
);

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
