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

/** A crypto amount without its code, for pasting into a wallet: "0.00155470". */
export function bareAmount({ formatted, currency }: Pick<AmountContract, 'formatted' | 'currency'>): string {
  const suffix = ` ${currency.code}`;
  return formatted.endsWith(suffix) ? formatted.slice(0, -suffix.length) : formatted;
}

/** Decimal text with grouped thousands: "64,321.12". */
export function groupThousands(decimal: string): string {
  const [whole = '', fraction] = decimal.split('.');
  const grouped = whole.replace(/\B(?=(\d{3})+$)/g, ',');
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}
