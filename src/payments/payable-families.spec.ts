import type { Chain } from '../chains/chain-catalogue.js';
import { payableFamilies } from './payable-families.js';

const chain = (slug: string, family: string, ...codes: string[]) =>
  ({ slug, family, assets: codes.map((currencyCode) => ({ currencyCode })) }) as Chain;
const CHAINS = [
  chain('ethereum', 'evm', 'ETH', 'USDT'),
  chain('base', 'evm', 'ETH', 'USDC'),
  chain('bitcoin', 'bitcoin', 'BTC'),
  chain('tron', 'tron', 'TRX', 'USDT'),
];

describe('payableFamilies', () => {
  it.each<[what: string, whitelist: string[], slug: string | null, families: string[]]>([
    ['every family without a whitelist', [], null, ['evm', 'bitcoin', 'tron']],
    ['the families that carry a token', ['USDT'], null, ['evm', 'tron']],
    ['the family of one coin', ['BTC'], null, ['bitcoin']],
    ['those of several coins', ['BTC', 'USDC'], null, ['evm', 'bitcoin']],
    ['only the family of the chain', [], 'bitcoin', ['bitcoin']],
    ['the family of whitelist and chain together', ['USDT', 'BTC'], 'tron', ['tron']],
    ['none for codes of no watched chain', ['SOL', 'DOGE'], null, []],
    ['none for a chain that carries nothing of the whitelist', ['USDC'], 'ethereum', []],
    ['none for a chain that is not watched', [], 'litecoin', []],
    ['the watched one where only some codes are', ['SOL', 'ETH'], null, ['evm']],
  ])('%s', (_what, currencyWhitelist, blockchainSlug, families) => {
    expect(payableFamilies(CHAINS, { currencyWhitelist, blockchainSlug })).toEqual(families);
  });

  it('none without chains', () => {
    expect(payableFamilies([], { currencyWhitelist: [], blockchainSlug: null })).toEqual([]);
  });
});
