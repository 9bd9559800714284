import type { Quote, Transfer } from '../payments/payment.pure.js';
import { describeUnmatched, unmatchedFunds } from './unmatched-funds.pure.js';

const NAMES: Record<string, string> = { ethereum: 'Ethereum', bsc: 'BNB Smart Chain' };
const nameOf = (slug: string) => NAMES[slug] ?? slug;
const ETHER = 10n ** 18n;

const BNB = {
  chain: 'bsc',
  asset: 'native',
  currencyCode: 'BNB',
  assetDecimals: 18,
  amount: ETHER / 10n,
  state: 'confirmed',
  isMatched: false,
} as Transfer;
const USDC = { ...BNB, chain: 'ethereum', asset: '0xusdc', currencyCode: 'USDC', assetDecimals: 6 };
const ETH = { chain: 'ethereum', asset: 'native', currencyCode: 'ETH', acceptedTransferId: null } as Quote;

describe('unmatched funds', () => {
  it.each<[name: string, transfers: Transfer[], quotes: Quote[], expected: string | null]>([
    ['no transfers', [], [ETH], null],
    ['the requested coin', [{ ...BNB, isMatched: true }], [ETH], null],
    ['an orphaned transfer', [{ ...BNB, state: 'orphaned' }], [ETH], null],
    [
      'a coin on another network',
      [BNB],
      [ETH],
      '0.10000000 BNB on BNB Smart Chain arrived, but this payment asks for ETH on Ethereum.',
    ],
    [
      'the same coin twice, once unconfirmed',
      [BNB, { ...BNB, state: 'pending' }],
      [ETH],
      '0.20000000 BNB on BNB Smart Chain arrived, but this payment asks for ETH on Ethereum.',
    ],
    [
      'the native coin of two networks: no sum',
      [BNB, { ...BNB, chain: 'ethereum', currencyCode: 'ETH' }],
      [],
      '0.10000000 BNB on BNB Smart Chain and 0.10000000 ETH on Ethereum arrived, which this payment did not ask for.',
    ],
    [
      'two coins, and two methods with quotes, one of them twice',
      [BNB, { ...USDC, amount: 5_000_000n }],
      [ETH, { ...ETH, currencyCode: 'USDT' }, ETH],
      '0.10000000 BNB on BNB Smart Chain and 5.000000 USDC on Ethereum arrived, but this payment asks for ETH on ' +
        'Ethereum or USDT on Ethereum.',
    ],
    [
      'another transfer of a coin that was accepted once: the quote of the acceptance is not a request',
      [BNB],
      [ETH, { ...ETH, chain: 'bsc', currencyCode: 'BNB', acceptedTransferId: 'another' }],
      '0.10000000 BNB on BNB Smart Chain arrived, but this payment asks for ETH on Ethereum.',
    ],
    [
      'before any quote, on a network that is no longer configured',
      [{ ...BNB, chain: 'base' }],
      [],
      '0.10000000 BNB on base arrived, which this payment did not ask for.',
    ],
  ])('%s', (_name, transfers, quotes, expected) => {
    const funds = unmatchedFunds({ transfers, quotes }, nameOf);
    expect(funds && describeUnmatched(funds)).toBe(expected);
  });
});
