import type { AmountContract } from '../../money/amount.contract.js';

const MONTHS = 'January February March April May June July August September October November December'.split(
  ' ',
);

/**
 * "14:32 UTC", preceded by the date if it is not today.
 * @param iso in the form `YYYY-MM-DDTHH:MM:SSZ`, as is `nowIso`
 */
export function utcTime(iso: string, nowIso: string): string {
  const time = `${iso.slice(11, 16)} UTC`;
  if (iso.slice(0, 10) === nowIso.slice(0, 10)) return time;
  const [year, month, day] = iso.slice(0, 10).split('-').map(Number);
  return `${day} ${MONTHS[(month ?? 1) - 1]} ${year}, ${time}`;
}

/** "less than a minute", "about 3 minutes", "about 2 hours". */
export function aboutDuration(seconds: number): string {
  if (seconds < 60) return 'less than a minute';
  const [count, unit] =
    seconds < 90 * 60 ? [Math.round(seconds / 60), 'minute'] : [Math.round(seconds / 3600), 'hour'];
  return `about ${count} ${unit}${count === 1 ? '' : 's'}`;
}

/** An exact amount for pasting into a wallet: digits and a point, in every language the same. "0.0015547". */
export function plainAmount({ atomic, decimals }: Pick<AmountContract, 'atomic' | 'decimals'>): string {
  const digits = atomic.padStart(decimals + 1, '0');
  const whole = digits.slice(0, digits.length - decimals);
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '');
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
