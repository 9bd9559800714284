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

const MONTH = /^(\d{4})-(0[1-9]|1[0-2])$/;

/**
 * When a month of a zone begins, and when the next one does; null: it is no month.
 * @param month `YYYY-MM`
 */
export function monthOf(month: string, timeZone: string): { from: Date; to: Date } | null {
  const [, year, number] = MONTH.exec(month) ?? [];
  if (year === undefined || number === undefined || year === '0000') return null;
  const following = new Date(Date.UTC(Number(year), Number(number), 1));
  const format = dateFormat(timeZone);
  const start = (date: string) => new Date(startOf(date, (ms) => format.format(ms)));
  return { from: start(`${month}-01`), to: start(following.toISOString().slice(0, 10)) };
}

/**
 * The clock of a zone at a moment, as a `Date` whose UTC fields are what the clock shows; without milliseconds.
 * @param timeZone see {@link isTimeZone}
 */
export function wallClock(at: Date, timeZone: string): Date {
  const parts = clockFormat(timeZone).formatToParts(at);
  const [year = 0, month = 1, day = 1, hour = 0, minute = 0, second = 0] = CLOCK_PARTS.map((type) =>
    Number(parts.find((part) => part.type === type)?.value),
  );
  const wall = new Date(0);
  wall.setUTCFullYear(year, month - 1, day);
  wall.setUTCHours(hour, minute, second);
  return wall;
}

const CLOCK_PARTS = ['year', 'month', 'day', 'hour', 'minute', 'second'] as const;
/** Making one takes longer than reading ten thousand clocks with it. */
const clocks = new Map<string, Intl.DateTimeFormat>();
const MAX_CLOCKS = 100;

function clockFormat(timeZone: string): Intl.DateTimeFormat {
  const known = clocks.get(timeZone);
  if (known) return known;
  const format = new Intl.DateTimeFormat('en-u-ca-gregory-nu-latn', {
    timeZone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  });
  if (clocks.size >= MAX_CLOCKS) clocks.clear();
  clocks.set(timeZone, format);
  return format;
}
