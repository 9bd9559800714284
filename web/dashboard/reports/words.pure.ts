import { digitsTag, isolated } from '../i18n/format.pure.js';

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A unit is used from twice its length on: "95 seconds" says more than "1.6 minutes". */
const UNITS = [
  ['day', DAY],
  ['hour', HOUR],
  ['minute', MINUTE],
] as const;

/** @param day `YYYY-MM-DD`, which is the same day everywhere */
export function formatDay(day: string, locale: string): string {
  const options = { dateStyle: 'medium', timeZone: 'UTC' } as const;
  return new Intl.DateTimeFormat(digitsTag(locale), options).format(new Date(`${day}T00:00:00Z`));
}

/** @param share from 0 to 1 */
export function formatShare(share: number, locale: string): string {
  return new Intl.NumberFormat(digitsTag(locale), { style: 'percent', maximumFractionDigits: 1 }).format(
    share,
  );
}

/** "+14 %": with its sign, since it is a comparison. @param share of what it is compared with */
export function formatChange(share: number, locale: string): string {
  const options = { style: 'percent', maximumFractionDigits: 1, signDisplay: 'exceptZero' } as const;
  return isolated(new Intl.NumberFormat(digitsTag(locale), options).format(share));
}

/** "95 sec", "7 min": one unit is enough for a comparison. */
export function formatDuration(seconds: number, locale: string): string {
  const [unit, length] = UNITS.find(([, least]) => seconds >= 2 * least) ?? (['second', 1] as const);
  const options = { style: 'unit', unit, unitDisplay: 'short', maximumFractionDigits: 0 } as const;
  return new Intl.NumberFormat(digitsTag(locale), options).format(seconds / length);
}
