const HOUR_MS = 3_600_000;
/** No zone is further from UTC, and no day begins later after its midnight. */
const FURTHEST_MS = 16 * HOUR_MS;

/** A day of a report: its date in the zone of the report, and when it begins. */
export interface ReportDay {
  /** `YYYY-MM-DD`. */
  date: string;
  start: Date;
}

/** Offsets such as +02:00 are no zones, although Intl takes them. */
export const TIME_ZONE_FORM = /^[A-Za-z][\w/+-]*$/;

/** Whether it is the name of a time zone (IANA), e.g. `Europe/Berlin`, or `UTC`. */
export function isTimeZone(name: string): boolean {
  if (!TIME_ZONE_FORM.test(name)) return false;
  try {
    dateFormat(name);
    return true;
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
}

/**
 * The days of a zone from the one of `from` to the one that ends at `to` or later; the first one may have begun before
 * `from`. A day has 23, 24 or 25 hours, and begins at 01:00 where midnight is skipped.
 */
export function daysBetween(from: Date, to: Date, timeZone: string): ReportDay[] {
  const format = dateFormat(timeZone);
  const dateAt = (ms: number) => format.format(ms);
  const days: ReportDay[] = [];
  const last = dateAt(to.getTime() - 1);
  for (let date = dateAt(from.getTime()); date <= last; date = following(date))
    days.push({ date, start: new Date(startOf(date, dateAt)) });
  return days;
}

/** Canadian English writes dates as ISO 8601 does. */
function dateFormat(timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-CA', { timeZone, year: 'numeric', month: '2-digit', day: '2-digit' });
}

function following(date: string): string {
  const next = new Date(Date.parse(`${date}T00:00:00Z`) + 24 * HOUR_MS);
  return next.toISOString().slice(0, 10);
}

/** The first millisecond whose date in the zone is `date`, or a later one where the zone skipped the whole day. */
function startOf(date: string, dateAt: (ms: number) => string): number {
  const midnight = Date.parse(`${date}T00:00:00Z`);
  let before = midnight - FURTHEST_MS;
  let after = midnight + FURTHEST_MS;
  // Zones change by whole minutes since 1972.
  while (after - before > 60_000) {
    const middle = before + Math.floor((after - before) / 120_000) * 60_000;
    if (dateAt(middle) < date) before = middle;
    else after = middle;
  }
  return after;
}
