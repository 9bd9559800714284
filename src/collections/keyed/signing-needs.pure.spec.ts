import { feeCapOf, fundingOf, needsOf, type SigningTerms } from './signing-needs.pure.js';

const terms: SigningTerms = { cap: { price: 10n, tip: 1n }, transferGas: 21_000n, dataFee: 7n };
const COIN_FEE = 210_007n;

it.each([
  ['of a market', { gasPrice: 9n, market: { baseFee: 4n, priorityFee: 3n } }, { price: 11n, tip: 3n }],
  [
    'of a market without a base fee',
    { gasPrice: 9n, market: { baseFee: 0n, priorityFee: 3n } },
    { price: 3n, tip: 3n },
  ],
  ['of a price', { gasPrice: 8n, market: null }, { price: 10n, tip: null }],
])('the cap %s', (_what, fees, cap) => {
  expect(feeCapOf(fees)).toEqual(cap);
});

it.each([
  ['nothing', 0n, [], { lacking: 0n, coin: 0n, fees: 0n }],
  ['coin alone', 1_000_000n, [], { lacking: 0n, coin: 1_000_000n - COIN_FEE, fees: COIN_FEE }],
  ['as much coin as it costs twice', 2n * COIN_FEE, [], { lacking: 0n, coin: 0n, fees: 0n }],
  ['one more', 2n * COIN_FEE + 1n, [], { lacking: 0n, coin: COIN_FEE + 1n, fees: COIN_FEE }],
  ['a token without coin', 0n, [50_000n], { lacking: 500_007n, coin: 0n, fees: 500_007n }],
  ['a token with some coin', 7n, [50_000n], { lacking: 500_000n, coin: 0n, fees: 500_007n }],
  ['a token with just enough', 500_007n, [50_000n], { lacking: 0n, coin: 0n, fees: 500_007n }],
  [
    'two tokens and coin',
    5_000_000n,
    [50_000n, 60_000n],
    { lacking: 0n, coin: 5_000_000n - 1_100_014n - COIN_FEE, fees: 1_100_014n + COIN_FEE },
  ],
])('an address with %s', (_what, balance, tokenGas, needs) => {
  expect(needsOf({ balance, tokenGas }, terms)).toEqual(needs);
});

it('the account that pays the fees needs what is lacking, and a transfer for each', () => {
  const needs = [0n, 400_000n, 9_000_000n].map((balance) => needsOf({ balance, tokenGas: [50_000n] }, terms));
  expect(fundingOf(needs, terms)).toBe(500_007n + 100_007n + 2n * COIN_FEE);
  expect(fundingOf([], terms)).toBe(0n);
});
