/**
 * The beginning of a day that was chosen in a calendar, or of a later one, in the reader's zone; null for what is none.
 * @param day YYYY-MM-DD
 */
export function startOfDay(day: string | null, daysLater = 0): Date | null {
  const [, year, month, date] = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '') ?? [];
  if (year === undefined) return null;
  const start = new Date(Number(year), Number(month) - 1, Number(date) + daysLater);
  return Number.isNaN(start.getTime()) ? null : start;
}

/** The last second of it. */
export function endOfDay(day: string | null): Date | null {
  const next = startOfDay(day, 1);
  return next && new Date(next.getTime() - 1_000);
}
