import type { Payment, Quote, Transfer } from '../payments/payment.pure.js';
import { followedAsset } from './followed-asset.pure.js';

const QUOTES = [
  { chain: 'ethereum', asset: 'native', currencyCode: 'ETH' },
  { chain: 'ethereum', asset: '0xusdt', currencyCode: 'USDT' },
  { chain: 'bsc', asset: 'native', currencyCode: 'BNB' },
] as Quote[];
const ETHER = { chain: 'ethereum', asset: 'native' };
const BNB = { chain: 'bsc', asset: 'native' };
const transfer = (asset: object, more: Partial<Transfer> = {}) =>
  ({ ...asset, state: 'pending', isMatched: true, ...more }) as Transfer;

describe('followedAsset', () => {
  it.each<[name: string, method: [string, string] | null, transfers: Transfer[], expected: object | null]>([
    ['nothing was chosen', null, [], null],
    ['nothing came', ['ethereum', 'eth'], [], ETHER],
    ['the chosen coin came', ['ethereum', 'eth'], [transfer(ETHER)], ETHER],
    ['a token was chosen', ['ethereum', 'usdt'], [], { chain: 'ethereum', asset: '0xusdt' }],
    ['both came', ['ethereum', 'eth'], [transfer(ETHER), transfer(BNB)], ETHER],
    ['another coin came, which counts', ['ethereum', 'eth'], [transfer(BNB)], BNB],
    [
      'another coin came, of which one is confirmed',
      ['ethereum', 'usdt'],
      [transfer(BNB), transfer(ETHER, { state: 'confirmed' })],
      BNB,
    ],
    ['all of it is confirmed', ['ethereum', 'usdt'], [transfer(BNB, { state: 'confirmed' })], BNB],
    ['another coin came that counts not', ['ethereum', 'eth'], [transfer(BNB, { isMatched: false })], ETHER],
    ['it is gone again', ['ethereum', 'eth'], [transfer(BNB, { state: 'orphaned' })], ETHER],
  ])('%s', (_name, method, transfers, expected) => {
    const [selectedProvider, selectedMethod] = method ?? [null, null];
    const payment = { selectedProvider, selectedMethod } as Payment;
    expect(followedAsset({ payment, quotes: QUOTES, transfers })).toEqual(expected);
  });
});
