import type { AmountContract } from '../../money/amount.contract.js';

/** An exact amount for pasting into a wallet: digits and a point, in every language the same. "0.0015547". */
export function plainAmount({ atomic, decimals }: Pick<AmountContract, 'atomic' | 'decimals'>): string {
  const digits = atomic.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/(^|[^0])0+$/, '$1');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** Digits after the point of a price below {@link LARGE}, from the first one on that is not 0. */
const SMALL_DIGITS = 4;
const LARGE = 10;
/** Of larger ones, and the least of all. */
const CENTS = 2;

/** A rate as people compare it: "0.91979" is 0.9198, "64321.129" is 64,321.13. @param value decimal digits */
export function roundedRate(value: string): { atomic: string; decimals: number; isExact: boolean } {
  const [whole = '0', fraction = ''] = value.split('.');
  const zeros = BigInt(whole) === 0n ? (/^0*/.exec(fraction)?.[0].length ?? 0) : 0;
  let decimals = BigInt(whole) >= LARGE ? CENTS : zeros + SMALL_DIGITS;
  const kept = BigInt(whole + fraction.slice(0, decimals).padEnd(decimals, '0'));
  const rest = fraction.slice(decimals);
  let atomic = String(/^[5-9]/.test(rest) ? kept + 1n : kept);
  for (; decimals > CENTS && atomic.endsWith('0'); decimals--) atomic = atomic.slice(0, -1);
  return { atomic, decimals, isExact: !/[1-9]/.test(rest) };
}

/** The exchanges of a rate, as people write them: "median(kraken,coinbase)" is Kraken and Coinbase. */
export function rateSources(source: string): string[] {
  const [, list = source] = /^median\((.+)\)$/.exec(source) ?? [];
  return list
    .split(',')
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}
