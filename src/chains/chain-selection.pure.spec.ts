import { CHAIN_CATALOG } from './chain-catalog.pure.js';
import { chainMessage } from './chain-selection.pure.js';

const ENABLED = ['bitcoin', 'ethereum', 'tron', 'base', 'polygon'].flatMap((slug) =>
  CHAIN_CATALOG.filter((chain) => chain.slug === slug),
);
const INVALID = 'The selected blockchainSlug is invalid.';
const LIST = 'It must be one of bitcoin, ethereum, tron, base, polygon.';

describe('chainMessage', () => {
  it.each<[unknown, string]>([
    ['BTC', 'bitcoin'],
    ['btc', 'bitcoin'],
    ['Bitcoin', 'bitcoin'],
    ['bitcoin-mainnet', 'bitcoin'],
    ['bitcion', 'bitcoin'],
    ['ETH', 'ethereum or base'],
    ['etherium', 'ethereum'],
    ['1', 'ethereum'],
    ['ERC20', 'ethereum'],
    ['TRC-20', 'tron'],
    ['TRX', 'tron'],
    ['USDT', 'ethereum or tron'],
    ['matic', 'polygon'],
    ['137', 'polygon'],
    ['peercoin', ''],
    ['', ''],
    [1, ''],
    ['null', ''],
  ])('%p means %p', (sent, slug) => {
    const meant = slug && ` Did you mean ${slug}?`;
    expect(chainMessage('blockchainSlug', sent, ENABLED)).toBe(`${INVALID}${meant} ${LIST}`);
  });

  it('says when a chain is known but not enabled', () => {
    expect(chainMessage('blockchainSlug', 'litecoin', ENABLED)).toBe(
      'The selected blockchainSlug is known, but not enabled on this gateway; enabled: bitcoin, ethereum, tron, base, polygon.',
    );
    expect(chainMessage('blockchainSlug', 'LTC', ENABLED)).toBe(
      `${INVALID} ${LIST} (litecoin is known, but not enabled on this gateway.)`,
    );
  });

  it('lists no chains on a gateway without chains', () =>
    expect(chainMessage('blockchainSlug', 'peercoin', [])).toBe(INVALID));
});
