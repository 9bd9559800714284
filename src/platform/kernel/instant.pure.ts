/*
 * Instants as programs write them (specification/conventions.md#instants): every form of ISO 8601 that means one, which
 * are more than Date.parse knows. Without a zone it would be a time in an unknown place, and is refused.
 */

/** A year has four digits. A week has the year before its own digits as ISO 8601 counts weeks. */
const DATES: readonly (readonly [
  form: RegExp,
  read: (year: number, a: number, b: number) => number | null,
])[] = [
  [/^([1-9]\d{3})-?(\d\d)-?(\d\d)$/, ofMonth],
  [/^([1-9]\d{3})-?W(\d\d)-?([1-7])$/, ofWeek],
  [/^([1-9]\d{3})-?(\d{3})()$/, ofYear],
];
/** Hours, or hours and minutes, or all; the last one may have a fraction. Neither 24:00 nor a leap second. */
const TIME = /^([01]\d|2[0-3])(?::?([0-5]\d)(?::?([0-5]\d))?)?(?:[.,](\d{1,30}))?$/;
/** A minus may also be the sign of that name, which ISO 8601 asks for. */
const ZONE = /(?:Z|([+\u2212-])([01]\d|2[0-3])(?::?([0-5]\d))?)$/;
/** A part is written with its separators, or without any. */
const MIXED = /^\d{4}-(?:\d{4}|W\d{3})$|^\d{4}(?:\d\d|W\d\d)-|^\d\d:\d{4}|^\d{4}:/;

const SECOND_MS = 1_000n;
const MINUTE_MS = 60n * SECOND_MS;
const HOUR_MS = 60n * MINUTE_MS;
const DAY_MS = 86_400_000;

/** The time of an ISO 8601 text with a zone, or null, also for dates that do not exist, such as 31 June. */
export function parseInstant(text: string): Date | null {
  const [date = '', rest, ...more] = text.toUpperCase().split('T');
  const zone = rest === undefined || more.length > 0 ? null : ZONE.exec(rest);
  if (rest === undefined || !zone) return null;
  const day = readDay(date);
  const time = readTimeOfDay(rest.slice(0, zone.index));
  if (day === null || time === null) return null;
  const [, sign, hours = '0', minutes = '0'] = zone;
  const offset = BigInt(hours) * HOUR_MS + BigInt(minutes) * MINUTE_MS;
  const ms = BigInt(day) + time - (sign === '+' ? offset : -offset);
  const instant = new Date(Number(ms));
  return instant.getUTCFullYear() <= 9_999 ? instant : null;
}

/** Midnight at its beginning, in milliseconds as UTC. */
function readDay(text: string): number | null {
  if (MIXED.test(text)) return null;
  for (const [form, read] of DATES) {
    const [, year, a, b] = form.exec(text) ?? [];
    if (year !== undefined) return read(Number(year), Number(a), Number(b));
  }
  return null;
}

function ofMonth(year: number, month: number, day: number): number | null {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day ? date.getTime() : null;
}

function ofYear(year: number, day: number): number | null {
  const date = new Date(Date.UTC(year, 0, day));
  return date.getUTCFullYear() === year ? date.getTime() : null;
}

/** The first week is the one with 4 January; weeks begin on Monday. */
function ofWeek(year: number, week: number, weekday: number): number | null {
  if (week < 1 || week > 53) return null;
  const monday = mondayOfFirstWeek(year) + (week - 1) * 7 * DAY_MS;
  return monday < mondayOfFirstWeek(year + 1) ? monday + (weekday - 1) * DAY_MS : null;
}

function mondayOfFirstWeek(year: number): number {
  const fourth = new Date(Date.UTC(year, 0, 4));
  return fourth.getTime() - ((fourth.getUTCDay() + 6) % 7) * DAY_MS;
}

/** Milliseconds since midnight, rounded down. */
function readTimeOfDay(text: string): bigint | null {
  const [, hours, minutes, seconds, fraction = ''] = TIME.exec(text) ?? [];
  if (hours === undefined || MIXED.test(text)) return null;
  const unit = seconds !== undefined ? SECOND_MS : minutes !== undefined ? MINUTE_MS : HOUR_MS;
  const whole = BigInt(hours) * HOUR_MS + BigInt(minutes ?? 0) * MINUTE_MS + BigInt(seconds ?? 0) * SECOND_MS;
  return whole + (BigInt(fraction || 0) * unit) / 10n ** BigInt(fraction.length);
}
