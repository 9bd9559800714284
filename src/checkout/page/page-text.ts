import type { AmountContract } from '../../money/amount.contract.js';

/** An exact amount for pasting into a wallet: digits and a point, in every language the same. "0.0015547". */
export function plainAmount({ atomic, decimals }: Pick<AmountContract, 'atomic' | 'decimals'>): string {
  const digits = atomic.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/(^|[^0])0+$/, '$1');
  return fraction === '' ? whole : `${whole}.${fraction}`;
}

/** The exchanges of a rate, as people write them: "median(kraken,coinbase)" is Kraken and Coinbase. */
export function rateSources(source: string): string[] {
  const [, list = source] = /^median\((.+)\)$/.exec(source) ?? [];
  return list
    .split(',')
    .filter((name) => name !== '' && name !== 'identity')
    .map((name) => `${name.charAt(0).toUpperCase()}${name.slice(1)}`);
}
