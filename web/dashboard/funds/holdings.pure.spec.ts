import { choicesOf, sumOf, totalsOf } from './holdings.pure.js';

const money = (atomic: string, decimals: number, code: string) => ({ atomic, decimals, currency: { code } });
const held = (blockchain: string, currencyCode: string, atomic: string, decimals = 6) => ({
  blockchain,
  currencyCode,
  receivedAmount: money(atomic, decimals, currencyCode),
});
const network = (slug: string, family: string, { testnet = false, enabled = true } = {}) => ({
  slug,
  name: slug.toUpperCase(),
  family,
  testnet,
  enabled,
});
const NETWORKS = [
  network('ethereum', 'evm'),
  network('bsc', 'evm'),
  network('sepolia', 'evm', { testnet: true }),
  network('litecoin', 'litecoin'),
  network('bitcoincash', 'bitcoincash'),
  network('tron', 'tron'),
  network('polygon', 'evm', { enabled: false }),
];

describe('choicesOf', () => {
  it.each([
    ['ethereum', 'treasury'],
    ['litecoin', 'psbt'],
    ['bitcoincash', 'by-hand'],
    ['tron', 'by-hand'],
  ])('of %s is %s', (slug, kind) => {
    expect(choicesOf([held(slug, 'X', '1')], NETWORKS)).toEqual([
      { slug, name: slug.toUpperCase(), kind, coins: ['X'] },
    ]);
  });

  it('has each network once, with its coins', () => {
    const holdings = [held('bsc', 'USDT', '1'), held('ethereum', 'ETH', '1'), held('bsc', 'BNB', '1')];
    expect(choicesOf(holdings, NETWORKS).map(({ slug, coins }) => [slug, coins])).toEqual([
      ['bsc', ['BNB', 'USDT']],
      ['ethereum', ['ETH']],
    ]);
  });

  it.each([
    ['that is switched off', 'polygon'],
    ['that nobody knows', 'gone'],
  ])('has no network %s', (_what, slug) => {
    expect(choicesOf([held(slug, 'USDC', '1')], NETWORKS)).toEqual([]);
  });
});

describe('totalsOf', () => {
  it('adds one coin of several networks, each in its own units', () => {
    const holdings = [
      held('ethereum', 'USDC', '1500000', 6),
      held('bsc', 'USDC', `2${'0'.repeat(18)}`, 18),
      held('ethereum', 'ETH', '7', 18),
    ];
    expect(totalsOf(holdings, NETWORKS)).toEqual([money(`35${'0'.repeat(17)}`, 18, 'USDC')]);
  });

  it.each([
    ['worthless coins to real ones', 'sepolia'],
    ['coins of a network that nobody knows', 'gone'],
  ])('adds no %s', (_what, slug) => {
    expect(totalsOf([held('ethereum', 'USDC', '1'), held(slug, 'USDC', '1')], NETWORKS)).toEqual([]);
  });
});

it('sumOf nothing is nothing, not zero', () => {
  expect(sumOf([])).toBeNull();
});
