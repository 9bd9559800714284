const DAY_MS = 86_400_000;

/** A row of database_sizes. */
export interface MeasuredSize {
  /** UTC, 2026-01-15. */
  day: string;
  bytes: number;
  measuredAt: Date;
}

/** By how much the database has grown. */
export interface Growth {
  /** Negative: it has shrunk. */
  bytes: number;
  /** When the size was measured that this one is compared with. */
  since: Date;
}

/** Since the end of an earlier day, by UTC; null: its size is not known. @param days at least 1 */
export function growthSince(
  sizes: readonly MeasuredSize[],
  bytes: number,
  days: number,
  now: Date,
): Growth | null {
  const day = new Date(now.getTime() - days * DAY_MS).toISOString().slice(0, 10);
  const then = sizes.find((one) => one.day === day);
  return then ? { bytes: bytes - then.bytes, since: then.measuredAt } : null;
}
