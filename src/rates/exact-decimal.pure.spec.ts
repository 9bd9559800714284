import { type Decimal, parseRate } from '../money/money.js';
import {
  compareDecimals,
  decimalText,
  divideDown,
  isWithinPercent,
  meanOf,
  medianOf,
} from './exact-decimal.pure.js';

const rate = (text: string): Decimal => parseRate(text);

describe('decimalText', () => {
  it.each([
    ['64321.1200', '64321.12'],
    ['100', '100'],
    ['100.00', '100'],
    ['0.50', '0.5'],
    ['1e-8', '0.00000001'],
    ['1e3', '1000'],
  ])('prints %s as %s', (text, plain) => {
    expect(decimalText(rate(text))).toBe(plain);
  });
});

describe('compareDecimals', () => {
  it.each<[string, string, number]>([
    ['1', '1.000', 0],
    ['0.1', '0.09', 1],
    ['9.99', '10', -1],
    ['0.1', '0.1000000000000000000001', -1],
  ])('compares %s with %s: %s', (a, b, order) => {
    expect(compareDecimals(rate(a), rate(b))).toBe(order);
  });
});

describe('meanOf and medianOf', () => {
  it.each<[string[], string]>([
    [['3'], '3'],
    [['1', '2'], '1.5'],
    [['2', '1'], '1.5'],
    [['64321.11', '64321.12'], '64321.115'],
    [['0.1', '0.25'], '0.175'],
    [['3', '1', '2'], '2'],
    [['1', '100', '2', '3'], '2.5'],
    [['0.1', '0.1000000000000000000001'], '0.10000000000000000000005'],
  ])('the median of %j is %s', (values, expected) => {
    expect(decimalText(medianOf(values.map(rate)))).toBe(expected);
  });

  it('throws without a value', () => {
    expect(() => medianOf([])).toThrow('no values');
  });

  it('is exact for values that floats cannot represent', () => {
    expect(decimalText(meanOf(rate('0.1'), rate('0.2')))).toBe('0.15');
  });
});

describe('isWithinPercent', () => {
  it.each<[string, string, boolean]>([
    ['100', '100', true],
    ['100', '105', true],
    ['105', '100', true],
    ['100', '105.0000000001', false],
    ['0.00001', '0.0000105', true],
    ['0.00001', '0.00001051', false],
    ['100', '10', false],
    ['100', '1000', false],
  ])('of %s and %s: %s', (a, b, expected) => {
    expect(isWithinPercent(rate(a), rate(b), 5n)).toBe(expected);
  });
});

describe('divideDown', () => {
  it.each<[string, string, string]>([
    ['1', '3', '0.333333333333'],
    ['2', '3', '0.666666666666'],
    ['64321.12', '58000.5', '1.10897526745'],
    ['1', '64321.12', '0.0000155469929628'],
    ['100000000', '3', '33333333.3333'],
    ['12345678901234567890', '1', '12345678901200000000'],
    ['1', '8', '0.125'],
    ['6', '2', '3'],
  ])('divides %s by %s to %s', (a, b, expected) => {
    expect(decimalText(divideDown(rate(a), rate(b), 12))).toBe(expected);
  });
});
