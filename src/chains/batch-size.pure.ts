/** How many calls one endpoint accepts in one batch, as learned so far. Times are milliseconds since 1970. */
export interface BatchSize {
  readonly calls: number;
  /** When it was last changed. */
  readonly since: number;
}

/** Calls in a batch of an endpoint that has refused none. */
export const LARGEST_BATCH = 50;
/** A size is kept for this time; then twice as many are tried, because a plan may have been changed. */
const TRY_MORE_AFTER_MS = 600_000;

export const FIRST_BATCH: BatchSize = { calls: LARGEST_BATCH, since: 0 };

/** After an endpoint refused a batch of `calls` as such. */
export function smallerThan(calls: number): number {
  return Math.max(1, Math.floor(calls / 2));
}

/** After an endpoint accepted a batch of `calls`, having refused a larger one if `wasRefused`. */
export function afterAccepted(size: BatchSize, calls: number, wasRefused: boolean, now: number): BatchSize {
  if (wasRefused) return { calls, since: now };
  return calls > size.calls ? { calls, since: now } : size;
}

/** The size to use now. */
export function batchSizeAt(size: BatchSize, now: number): number {
  if (size.calls >= LARGEST_BATCH || now - size.since < TRY_MORE_AFTER_MS) return size.calls;
  return Math.min(LARGEST_BATCH, size.calls * 2);
}

/** Batches in flight: as many calls as fit together, so that an endpoint without batches is read concurrently. */
export function concurrentBatches(calls: number): number {
  return Math.max(1, Math.floor(CONCURRENT_CALLS / calls));
}

const CONCURRENT_CALLS = 8;
