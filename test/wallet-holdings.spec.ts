import { exactAmount, type Holdings, lackOf } from '../web/checkout/holdings.js';

const BEYOND_FLOATS = 2n ** 70n + 1n;

describe('what the account of a wallet lacks', () => {
  it.each<[what: string, holdings: Holdings, lack: string | null]>([
    ['a token, and coin for the fee', { due: 5n, held: 5n, coin: 1n, isToken: true }, null],
    ['a unit of a token too little', { due: 5n, held: 4n, coin: 1n, isToken: true }, 'short'],
    ['neither token nor coin', { due: 5n, held: 0n, coin: 0n, isToken: true }, 'short'],
    ['a token, and no coin for the fee', { due: 5n, held: 9n, coin: 0n, isToken: true }, 'no-fee'],
    [
      'a token, and a coin that the wallet does not say',
      { due: 5n, held: 9n, coin: null, isToken: true },
      null,
    ],
    ['a token that the wallet does not say', { due: 5n, held: null, coin: 1n, isToken: true }, null],
    [
      'a token that the wallet does not say, and no coin',
      { due: 5n, held: null, coin: 0n, isToken: true },
      'no-fee',
    ],
    ['more of the coin than is due', { due: 5n, held: 6n, coin: 6n, isToken: false }, null],
    ['exactly the coin that is due', { due: 5n, held: 5n, coin: 5n, isToken: false }, 'no-fee'],
    ['less of the coin', { due: 5n, held: 4n, coin: 4n, isToken: false }, 'short'],
    ['a coin that the wallet does not say', { due: 5n, held: null, coin: null, isToken: false }, null],
    [
      'one unit less than a number that floats cannot tell from it',
      { due: BEYOND_FLOATS, held: BEYOND_FLOATS - 1n, coin: 1n, isToken: true },
      'short',
    ],
  ])('%s', (_what, holdings, lack) => expect(lackOf(holdings)).toBe(lack));
});

describe('an exact amount', () => {
  it.each<[atomic: bigint, decimals: number, lang: string, text: string]>([
    [0n, 6, 'en', '0'],
    [41_000_000n, 6, 'en', '41'],
    [27_180_000n, 6, 'en', '27.18'],
    [27_180_000n, 6, 'de', '27,18'],
    [1n, 18, 'en', '0.000000000000000001'],
    [1_234_567_890_123_456_789_012n, 18, 'en', '1,234.567890123456789012'],
    [1_234_500_000n, 6, 'fa', '1,234.5'],
    [7n, 0, 'en', '7'],
  ])('%d with %d decimals in %s', (atomic, decimals, lang, text) =>
    expect(exactAmount(atomic, decimals, lang)).toBe(text),
  );
});
