import { digitsTag } from './format.pure.js';

/** Seconds of each unit, the longest first. */
const UNITS = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
  ['second', 1],
] as const;

/** "2 minutes ago", "in 3 days", "now": in the longest unit of which one has passed. @param iso RFC 3339 */
export function formatAgo(iso: string, now: Date, locale: string): string {
  const seconds = Math.trunc((new Date(iso).getTime() - now.getTime()) / 1_000);
  const [unit, size] = UNITS.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1];
  return new Intl.RelativeTimeFormat(digitsTag(locale), {
    numeric: unit === 'second' ? 'auto' : 'always',
  }).format(Math.trunc(seconds / size), unit);
}

/** {@link formatAgo} of what has happened: a clock that is ahead gives "now". Both RFC 3339. */
export function formatPast(iso: string, now: string, locale: string): string {
  return formatAgo(iso, new Date(Math.max(Date.parse(iso), Date.parse(now))), locale);
}

/** "30 days", "1 year". */
export function formatSpan(count: number, unit: 'day' | 'year', locale: string): string {
  return new Intl.NumberFormat(digitsTag(locale), { style: 'unit', unit, unitDisplay: 'long' }).format(count);
}
