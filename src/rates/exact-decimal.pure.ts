import { type Decimal, formatDecimal, pow10 } from '../money/money.js';

/** Plain decimal text without trailing zeros: 6432112 / 10^3 is "6432.112". */
export function decimalText({ digits, scale }: Decimal): string {
  const text = formatDecimal(digits, scale);
  return scale === 0 ? text : text.replace(/(^|[^0])0+$/, '$1').replace(/\.$/, '');
}

/** Negative, zero or positive: a comparator for sort. */
export function compareDecimals(a: Decimal, b: Decimal): number {
  const [left, right] = [a.digits * pow10(b.scale), b.digits * pow10(a.scale)];
  return left < right ? -1 : left > right ? 1 : 0;
}

/** (a + b) / 2, exactly: half of a decimal has at most one more place. */
export function meanOf(a: Decimal, b: Decimal): Decimal {
  const scale = Math.max(a.scale, b.scale);
  const sum = a.digits * pow10(scale - a.scale) + b.digits * pow10(scale - b.scale);
  return { digits: sum * 5n, scale: scale + 1 };
}

/** The median; of an even number of values, the mean of the two in the middle. @throws Error without a value */
export function medianOf(values: readonly Decimal[]): Decimal {
  const sorted = values.toSorted(compareDecimals);
  const middle = sorted.length >> 1;
  const [lower, upper] = [sorted[sorted.length % 2 === 0 ? middle - 1 : middle], sorted[middle]];
  if (!lower || !upper) throw new Error('no values');
  return lower === upper ? upper : meanOf(lower, upper);
}

/** Whether the higher value is at most `percent` above the lower one. */
export function isWithinPercent(a: Decimal, b: Decimal, percent: bigint): boolean {
  const [low, high] = compareDecimals(a, b) <= 0 ? [a, b] : [b, a];
  return high.digits * pow10(low.scale) * 100n <= low.digits * pow10(high.scale) * (100n + percent);
}

/** a / b rounded down to `significant` digits. */
export function divideDown(a: Decimal, b: Decimal, significant: number): Decimal {
  const numerator = a.digits * pow10(b.scale);
  const denominator = b.digits * pow10(a.scale);
  // Enough places for at least `significant` digits, even of a small quotient.
  const places = significant + denominator.toString().length;
  const digits = (numerator * pow10(places)) / denominator;
  const surplus = Math.max(0, digits.toString().length - significant);
  const kept = (digits / pow10(surplus)) * pow10(Math.max(0, surplus - places));
  return { digits: kept, scale: Math.max(0, places - surplus) };
}
