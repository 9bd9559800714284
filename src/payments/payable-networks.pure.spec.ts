import type { Chain } from '../chains/chain.pure.js';
import { payableNetworks } from './payable-networks.pure.js';

const chain = (slug: string, family: string, testnet: boolean, ...codes: string[]) =>
  ({ slug, family, testnet, assets: codes.map((currencyCode) => ({ currencyCode })) }) as Chain;
const CHAINS = [
  chain('ethereum', 'evm', false, 'ETH', 'USDT'),
  chain('base', 'evm', true, 'ETH', 'USDC'),
  chain('bitcoin', 'bitcoin', true, 'BTC'),
  chain('tron', 'tron', false, 'TRX', 'USDT'),
];

describe('payableNetworks', () => {
  it.each<[what: string, whitelist: string[], slug: string | null, families: string[], livemode: boolean]>([
    ['every family without a whitelist', [], null, ['evm', 'bitcoin', 'tron'], true],
    ['the families that have a token', ['USDT'], null, ['evm', 'tron'], true],
    ['the family of one coin', ['BTC'], null, ['bitcoin'], false],
    ['those of several coins', ['BTC', 'USDC'], null, ['evm', 'bitcoin'], false],
    ['a main network among test networks', ['BTC', 'TRX'], null, ['bitcoin', 'tron'], true],
    ['only the family of the chain', [], 'bitcoin', ['bitcoin'], false],
    ['the test network of a family that has a main one', [], 'base', ['evm'], false],
    ['the family of whitelist and chain together', ['USDT', 'BTC'], 'tron', ['tron'], true],
    ['none for currencies of no watched chain', ['SOL', 'DOGE'], null, [], false],
    ['none for a chain without a currency of the whitelist', ['USDC'], 'ethereum', [], false],
    ['none for a chain that is not watched', [], 'litecoin', [], false],
    ['the watched one if only some currencies are', ['SOL', 'ETH'], null, ['evm'], true],
  ])('%s', (_what, currencyWhitelist, blockchainSlug, families, livemode) => {
    expect(payableNetworks(CHAINS, { currencyWhitelist, blockchainSlug })).toEqual({ families, livemode });
  });

  it('is empty without chains', () => {
    const none = { families: [], livemode: false };
    expect(payableNetworks([], { currencyWhitelist: [], blockchainSlug: null })).toEqual(none);
  });
});
