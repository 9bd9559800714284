import {
  maxUnits,
  assetAmountFor,
  DecimalError,
  formatDecimal,
  mulDivCeil,
  mulDivFloor,
  parseDecimal,
  parseRate,
  pricedAmountFor,
  rescale,
} from './money.js';

const UINT256_MAX = 2n ** 256n - 1n;

describe('formatDecimal and parseDecimal', () => {
  it.each<[bigint, number, string]>([
    [0n, 0, '0'],
    [0n, 2, '0.00'],
    [1n, 2, '0.01'],
    [10_000n, 2, '100.00'],
    [155_470n, 8, '0.00155470'],
    [1_000n, 0, '1000'],
    [1_234n, 3, '1.234'],
    [1_500_000_000_000_000_001n, 18, '1.500000000000000001'],
    [1n, 18, '0.000000000000000001'],
    [UINT256_MAX, 0, UINT256_MAX.toString()],
    [UINT256_MAX, 18, '115792089237316195423570985008687907853269984665640564039457.584007913129639935'],
  ])('convert %s with %s decimals to %s and back', (amount, decimals, text) => {
    expect(formatDecimal(amount, decimals)).toBe(text);
    expect(parseDecimal(text, decimals)).toBe(amount);
  });

  it('print the sign of a difference', () => {
    expect(formatDecimal(-5n, 2)).toBe('-0.05');
  });

  it.each<[string, number, bigint]>([
    ['1', 2, 100n],
    ['1.5', 2, 150n],
    ['0', 18, 0n],
  ])('read %s with fewer than %s decimals', (text, decimals, amount) => {
    expect(parseDecimal(text, decimals)).toBe(amount);
  });

  it.each<[string, number]>([
    ['0.001', 2],
    ['1.00', 0],
    ['1.0', 0],
    ['0.0000000001', 8],
    ['', 2],
    ['.5', 2],
    ['5.', 2],
    ['-1', 2],
    ['+1', 2],
    ['01', 2],
    ['00.5', 2],
    ['1e2', 2],
    ['1,000', 2],
    [' 1', 2],
    ['1\n', 2],
    ['0x10', 2],
    ['NaN', 2],
    ['Infinity', 2],
    ['١', 2],
    ['9'.repeat(101), 2],
  ])('reject %p with %s decimals instead of rounding', (text, decimals) => {
    expect(() => parseDecimal(text, decimals)).toThrow(DecimalError);
  });
});

describe('parseRate', () => {
  it.each<[string, bigint, number]>([
    ['64321.12', 6_432_112n, 2],
    ['1', 1n, 0],
    ['0.00000812', 812n, 8],
    ['8.12e-6', 812n, 8],
    ['8.12E+3', 8_120n, 0],
    ['5e0', 5n, 0],
    ['0.10000000000000000000000001', 10_000_000_000_000_000_000_000_001n, 26],
  ])('parses %s as %s / 10^%s', (text, digits, scale) => {
    expect(parseRate(text)).toEqual({ digits, scale });
  });

  it.each([
    '',
    '0',
    '0.000',
    '-1',
    '1.',
    '.1',
    '1e31',
    '1e-31',
    '1e999',
    'NaN',
    '1 ',
    '1_000',
    '9'.repeat(101),
  ])('rejects %p', (text) => {
    expect(() => parseRate(text)).toThrow(DecimalError);
  });
});

describe('mulDiv', () => {
  it.each<[bigint, bigint, bigint, bigint, bigint]>([
    [10n, 1n, 3n, 3n, 4n],
    [9n, 1n, 3n, 3n, 3n],
    [0n, 5n, 3n, 0n, 0n],
    [UINT256_MAX, UINT256_MAX, UINT256_MAX, UINT256_MAX, UINT256_MAX],
    [UINT256_MAX, 2n, 1n, UINT256_MAX * 2n, UINT256_MAX * 2n],
  ])('computes %s * %s / %s', (a, b, c, floor, ceil) => {
    expect(mulDivFloor(a, b, c)).toBe(floor);
    expect(mulDivCeil(a, b, c)).toBe(ceil);
  });
});

describe('maxUnits', () => {
  /** Ordinary prices, in smallest units: a flat, a car. */
  it.each([
    ['IRR', 2, 10n ** 13n],
    ['LBP', 2, 10n ** 13n],
    ['VND', 0, 10n ** 11n],
    ['IDR', 2, 10n ** 12n],
    ['UZS', 2, 10n ** 12n],
    ['USD', 2, 10n ** 10n],
    ['KWD', 3, 10n ** 10n],
  ])('has room for a price in %s', (_code, decimals, price) => {
    expect(maxUnits(decimals)).toBeGreaterThan(price);
    expect(maxUnits(decimals)).toBeLessThan(BigInt(Number.MAX_SAFE_INTEGER));
  });

  it('is one thousand million whole coins where those have more digits', () => {
    expect([0, 2, 5, 6, 8, 18].map(maxUnits)).toEqual([
      10n ** 15n - 1n,
      10n ** 15n - 1n,
      10n ** 15n - 1n,
      10n ** 15n,
      10n ** 17n,
      10n ** 27n,
    ]);
  });
});

describe('rescale', () => {
  it.each<[bigint, number, number, 'up' | 'down', bigint]>([
    [1_500_000n, 6, 18, 'up', 1_500_000_000_000_000_000n],
    [1_500_000n, 6, 18, 'down', 1_500_000_000_000_000_000n],
    [1_500_000_000_000_000_000n, 18, 6, 'up', 1_500_000n],
    [1_500_000_000_000_000_001n, 18, 6, 'up', 1_500_001n],
    [1_500_000_999_999_999_999n, 18, 6, 'down', 1_500_000n],
    [7n, 6, 6, 'up', 7n],
    [0n, 18, 6, 'up', 0n],
  ])('converts %s from %s to %s decimals, rounding %s: %s', (amount, from, to, rounding, expected) => {
    expect(rescale(amount, from, to, rounding)).toBe(expected);
  });
});

describe('assetAmountFor', () => {
  it.each<[string, bigint, number, string, number, bigint]>([
    ['100.00 USD in BTC at 64321.12', 10_000n, 2, '64321.12', 8, 155_470n],
    ['an exact quotient stays as it is', 10_000n, 2, '50000', 8, 200_000n],
    ['wei end after 8 places', 10_000n, 2, '3456.78', 18, 28_928_660_000_000_000n],
    ['6 places have no more to give', 10_000n, 2, '1.0003', 6, 99_970_009n],
    ['the smallest unit of yen', 1n, 0, '9700000', 8, 11n],
    ['dinar with 3 places', 1_000n, 3, '20000', 8, 5_000n],
    ['the smallest price still costs something', 1n, 2, '99999999', 8, 1n],
    [
      'priced in the coin itself: 8 places',
      1_500_000_000_000_000_001n,
      18,
      '1',
      18,
      1_500_000_010_000_000_000n,
    ],
    ['USDT for USDT', 12_345_678n, 6, '1', 6, 12_345_678n],
    ['no integer is too big', 10n ** 77n, 18, '1', 18, 10n ** 77n],
  ])('%s', (_what, pricedAmount, pricedDecimals, rate, assetDecimals, expected) => {
    expect(assetAmountFor({ pricedAmount, pricedDecimals, rate: parseRate(rate), assetDecimals })).toBe(
      expected,
    );
  });
});

describe('pricedAmountFor', () => {
  it.each<[string, bigint, number, string, number, bigint]>([
    ['the quoted amount covers the price', 155_470n, 8, '64321.12', 2, 10_000n],
    ['one satoshi less does not', 155_469n, 8, '64321.12', 2, 9_999n],
    ['dust is worth nothing', 1n, 18, '3456.78', 2, 0n],
    ['yen', 100_000_000n, 8, '9700000.99', 0, 9_700_000n],
    ['nothing', 0n, 8, '64321.12', 2, 0n],
  ])('%s', (_what, assetAmount, assetDecimals, rate, pricedDecimals, expected) => {
    expect(pricedAmountFor({ assetAmount, assetDecimals, rate: parseRate(rate), pricedDecimals })).toBe(
      expected,
    );
  });
});

describe('a quote and what it is worth', () => {
  const rates = ['64321.12', '0.00000812', '1', '3456.789012345678', '99999999.99', '0.3333333333333333'];
  const prices = [1n, 99n, 10_000n, 123_456_789n, 10n ** 11n];
  it.each(rates.flatMap((rate) => [6, 8, 9, 18].map((decimals) => [rate, decimals] as const)))(
    'at rate %s with %s decimals, the quoted amount always suffices and is never a unit too large',
    (text, assetDecimals) => {
      const rate = parseRate(text);
      const unit = 10n ** BigInt(assetDecimals - Math.min(assetDecimals, 8));
      for (const pricedAmount of prices) {
        const asked = assetAmountFor({ pricedAmount, pricedDecimals: 2, rate, assetDecimals });
        const worth = (assetAmount: bigint) =>
          pricedAmountFor({ assetAmount, assetDecimals, rate, pricedDecimals: 2 });
        expect(asked % unit).toBe(0n);
        expect(worth(asked)).toBeGreaterThanOrEqual(pricedAmount);
        expect(worth(asked - unit)).toBeLessThan(pricedAmount);
      }
    },
  );
});
