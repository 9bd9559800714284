/** Milliseconds until a node without subscriptions is tried again; doubles with each consecutive failure. */
const FIRST_MS = 10_000;
const LONGEST_MS = 600_000;

/**
 * Milliseconds until the next attempt to connect. Spread over half of the time, so that many gateways do not come back
 * together after their provider has restarted.
 * @param failures consecutive ones before this one
 * @param retryAfterMs what the node asked for, at most ten minutes of which count; null: nothing
 * @param random at least 0, less than 1
 */
export function reconnectDelayMs(failures: number, retryAfterMs: number | null, random: number): number {
  const longest = Math.min(FIRST_MS * 2 ** Math.min(failures, 10), LONGEST_MS);
  const asked = Math.min(retryAfterMs ?? 0, LONGEST_MS);
  // After a pause that the node asked for, later and never earlier.
  return Math.max(longest / 2, asked) + (random * longest) / 2;
}
