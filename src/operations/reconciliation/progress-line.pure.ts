/** Where a comparison is. */
export interface Position {
  /** Payments that it has considered, and the number of all that it will. */
  done: number;
  total: number;
  /** Milliseconds since it began. */
  elapsedMs: number;
}

/** E.g. `verify: 120000 of 1000000 payments (12 %), 2500/s, about 6 min left`. */
export function progressLine({ done, total, elapsedMs }: Position): string {
  const rate = elapsedMs > 0 ? (done * 1_000) / elapsedMs : 0;
  const share = total > 0 ? Math.min(100, Math.floor((done * 100) / total)) : 100;
  const left = rate > 0 ? `, about ${duration(Math.max(0, total - done) / rate)} left` : '';
  return `verify: ${done} of ${total} payments (${share} %), ${Math.round(rate)}/s${left}`;
}

function duration(seconds: number): string {
  if (seconds < 90) return `${Math.ceil(seconds)} s`;
  return seconds < 5_400 ? `${Math.round(seconds / 60)} min` : `${(seconds / 3_600).toFixed(1)} h`;
}
