/** How received sums are split. */
export const SPLITS = ['blockchain', 'application'] as const;
export type Split = (typeof SPLITS)[number];

/** Days of the reader's own calendar, both included, as `YYYY-MM-DD`. They are the query of the address. */
export interface ReportRange {
  from: string;
  to: string;
  split: Split;
}

/** Less than the 366 of the API, since a summer has an hour more. */
const MAX_DAYS = 365;
const DEFAULT_DAYS = 30;
const DAY_MS = 86_400_000;

/** Whole days are counted in UTC, where each has 24 hours. */
const numberOf = (day: string) => Date.parse(`${day}T00:00:00Z`) / DAY_MS;
const dayOf = (number: number) => new Date(number * DAY_MS).toISOString().slice(0, 10);

export function isDay(text: string | null): text is string {
  if (text === null || !/^20\d\d-\d\d-\d\d$/.test(text)) return false;
  const number = numberOf(text);
  return Number.isFinite(number) && dayOf(number) === text;
}

/** @param days negative: before */
export function plusDays(day: string, days: number): string {
  return dayOf(numberOf(day) + days);
}

/** All days of a span. */
export function daysOf({ from, to }: Pick<ReportRange, 'from' | 'to'>): string[] {
  return Array.from({ length: numberOf(to) - numberOf(from) + 1 }, (_, index) => plusDays(from, index));
}

/** What an address asks for; what it cannot mean is replaced by the last 30 days, and a longer span is cut. */
export function readRange(query: URLSearchParams, today: string): ReportRange {
  const [askedFrom, askedTo, by] = [query.get('from'), query.get('to'), query.get('by')];
  const to = isDay(askedTo) ? askedTo : today;
  const wanted = isDay(askedFrom) && askedFrom <= to ? askedFrom : plusDays(to, 1 - DEFAULT_DAYS);
  const earliest = plusDays(to, 1 - MAX_DAYS);
  return {
    from: wanted < earliest ? earliest : wanted,
    to,
    split: SPLITS.find((split) => split === by) ?? 'blockchain',
  };
}

export function writeRange({ from, to, split }: ReportRange): URLSearchParams {
  return new URLSearchParams({ from, to, ...(split !== 'blockchain' && { by: split }) });
}

/** The month before that of a day, as `YYYY-MM`: the one that bookkeepers ask for. */
export function monthBefore(day: string): string {
  return plusDays(`${day.slice(0, 7)}-01`, -1).slice(0, 7);
}

/** Spans that people ask for, ended by a day of theirs. @param today `YYYY-MM-DD` */
export function presetsOf(
  today: string,
): { name: number | 'this-month' | 'last-month'; from: string; to: string }[] {
  const first = `${today.slice(0, 7)}-01`;
  const endOfLast = plusDays(first, -1);
  return [
    ...[7, DEFAULT_DAYS].map((days) => ({ name: days, from: plusDays(today, 1 - days), to: today })),
    { name: 'this-month' as const, from: first, to: today },
    { name: 'last-month' as const, from: `${endOfLast.slice(0, 7)}-01`, to: endOfLast },
  ];
}

/** The day of a moment in the reader's zone. */
export function localDay(moment: Date): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${moment.getFullYear()}-${two(moment.getMonth() + 1)}-${two(moment.getDate())}`;
}

/** The span of the API: from the first moment of a day until the first one after the last day, in the reader's zone. */
export function spanOf({ from, to }: Pick<ReportRange, 'from' | 'to'>): { from: string; to: string } {
  const midnight = (day: string) => new Date(`${day}T00:00:00`).toISOString().replace('.000Z', 'Z');
  return { from: midnight(from), to: midnight(plusDays(to, 1)) };
}
