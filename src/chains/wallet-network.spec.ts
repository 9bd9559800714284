import type { Chain } from './chain.pure.js';
import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { familyOf } from './chain-families.pure.js';

const RPC = 'https://rpc.example';

function chain(slug: string) {
  const found = CHAIN_CATALOG.find((one) => one.slug === slug);
  if (!found) throw new Error(slug);
  return found;
}

const walletNetwork = (one: Chain, urls: string[]) => familyOf(one.family).walletNetwork(one, urls);

describe('what a wallet is told about a network', () => {
  it.each<[what: string, slug: string, urls: string[], network: object | null]>([
    ['an EVM chain without an address for customers', 'base', [], null],
    [
      'an EVM chain with one',
      'base',
      [RPC],
      {
        chainName: 'Base',
        rpcUrls: [RPC],
        nativeCurrency: { name: 'ETH', symbol: 'ETH', decimals: 18 },
      },
    ],
    [
      'Tron, by its first block',
      'tron',
      [],
      { genesis: '00000000000000001ebf88508a03865c71d452e25f4d51194196a1d22b6653dc' },
    ],
    ['bitcoin, which has no such wallets', 'bitcoin', [RPC], null],
  ])('%s', (_what, slug, urls, network) => expect(walletNetwork(chain(slug), urls)).toEqual(network));

  it('is another first block on a test network of Tron', () =>
    expect(walletNetwork({ ...chain('tron'), network: 'nile' }, [])).toEqual({
      genesis: expect.stringMatching(/cd8690dc$/),
    }));

  it('is nothing without a coin for the fee', () =>
    expect(walletNetwork({ ...chain('base'), assets: [] }, [RPC])).toBeNull());
});
