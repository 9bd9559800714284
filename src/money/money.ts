/** A text is not a decimal of the expected form. */
export class DecimalError extends Error {}

/**
 * An exact decimal: `digits / 10^scale`. Rates have this form: units of the pricing currency for one whole coin
 * ("64321.12" USD for 1 BTC = 6432112 / 10^2).
 */
export interface Decimal {
  digits: bigint;
  scale: number;
}

/** Longer text is refused before it is parsed; no amount exceeds the 78 digits of uint256. */
const MAX_TEXT_LENGTH = 100;
const MAX_EXPONENT = 30;
const PLAIN = /^(0|[1-9]\d*)(?:\.(\d+))?$/;
const WITH_EXPONENT = /^(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/;
/** Quoted amounts have at most this many places, because people type them by hand (specification/money.md#rounding). */
const MAX_QUOTED_PLACES = 8;

/** Ten to the power of `exponent`. */
/** Whole units of the coins, and digits of everything: 15 are a price in rials, and safe integers of JSON. */
const MAX_WHOLE_DIGITS = 9;
const MAX_DIGITS = 15;

/** The largest amount of a payment in smallest units, by digits and not by value (specification/money.md#bounds). */
export function maxUnits(decimals: number): bigint {
  const [byDigits, byUnits] = [pow10(MAX_DIGITS) - 1n, pow10(MAX_WHOLE_DIGITS + decimals)];
  return byDigits > byUnits ? byDigits : byUnits;
}

export function pow10(exponent: number): bigint {
  return 10n ** BigInt(exponent);
}

/** Decimal text with all places: (155470n, 8) is "0.00155470". */
export function formatDecimal(amount: bigint, decimals: number): string {
  if (amount < 0n) return `-${formatDecimal(-amount, decimals)}`;
  if (decimals === 0) return amount.toString();
  const digits = amount.toString().padStart(decimals + 1, '0');
  return `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
}

/**
 * The reverse of {@link formatDecimal}; fewer places are accepted, more are refused instead of rounded.
 * @throws DecimalError
 */
export function parseDecimal(text: string, decimals: number): bigint {
  const [matched, whole = '', fraction = ''] = text.length <= MAX_TEXT_LENGTH ? (PLAIN.exec(text) ?? []) : [];
  if (matched === undefined) throw new DecimalError('not a plain decimal number');
  if (fraction.length > decimals) throw new DecimalError(`more than ${decimals} decimal places`);
  return BigInt(whole + fraction.padEnd(decimals, '0'));
}

/**
 * A rate as decimal text, possibly with an exponent, greater than zero.
 * @throws DecimalError
 */
export function parseRate(text: string): Decimal {
  const [matched, whole = '', fraction = '', exponent = '0'] =
    text.length <= MAX_TEXT_LENGTH ? (WITH_EXPONENT.exec(text) ?? []) : [];
  if (matched === undefined) throw new DecimalError('not a decimal number');
  const shift = Number(exponent);
  if (Math.abs(shift) > MAX_EXPONENT) throw new DecimalError('exponent out of range');
  const digits = BigInt(whole + fraction);
  if (digits === 0n) throw new DecimalError('a rate must be greater than zero');
  const scale = fraction.length - shift;
  return scale < 0 ? { digits: digits * pow10(-scale), scale: 0 } : { digits, scale };
}

/** a * b / c rounded down; a and b are not negative, c is positive. */
export function mulDivFloor(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b) / c;
}

/** a * b / c rounded up; a and b are not negative, c is positive. */
export function mulDivCeil(a: bigint, b: bigint, c: bigint): bigint {
  return (a * b + c - 1n) / c;
}

/**
 * The same value in another smallest unit, e.g. USDT with 6 decimals on one network and 18 on another. The caller
 * chooses the rounding, since only it knows in whose favor to round.
 */
export function rescale(
  amount: bigint,
  fromDecimals: number,
  toDecimals: number,
  rounding: 'up' | 'down',
): bigint {
  if (toDecimals >= fromDecimals) return amount * pow10(toDecimals - fromDecimals);
  const divide = rounding === 'up' ? mulDivCeil : mulDivFloor;
  return divide(amount, 1n, pow10(fromDecimals - toDecimals));
}

/**
 * The amount that the customer has to send, in the asset's smallest unit: the priced amount at `rate`, rounded up to
 * min(assetDecimals, 8) places (specification/money.md#rounding). 100.00 USD at 64321.12 is 155470 sat.
 */
export function assetAmountFor(price: {
  pricedAmount: bigint;
  pricedDecimals: number;
  rate: Decimal;
  assetDecimals: number;
}): bigint {
  const { pricedAmount, pricedDecimals, rate, assetDecimals } = price;
  const places = Math.min(assetDecimals, MAX_QUOTED_PLACES);
  const quoted = mulDivCeil(pricedAmount, pow10(places + rate.scale), pow10(pricedDecimals) * rate.digits);
  return quoted * pow10(assetDecimals - places);
}

/**
 * The value of received coins in the pricing currency's smallest unit, rounded down
 * (specification/money.md#rounding).
 */
export function pricedAmountFor(received: {
  assetAmount: bigint;
  assetDecimals: number;
  rate: Decimal;
  pricedDecimals: number;
}): bigint {
  const { assetAmount, assetDecimals, rate, pricedDecimals } = received;
  return mulDivFloor(assetAmount, rate.digits * pow10(pricedDecimals), pow10(assetDecimals + rate.scale));
}
