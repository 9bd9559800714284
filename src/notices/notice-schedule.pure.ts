/** Seconds from each attempt to the next one: 27 hours in all, so that a mail server may be mended the next morning. */
const GAPS_SECONDS = [60, 300, 900, 3_600, 7_200, 14_400, 28_800, 43_200] as const;

export const MAX_ATTEMPTS = GAPS_SECONDS.length + 1;
/** The longest time that a notice sleeps. */
export const LONGEST_GAP_SECONDS = Math.max(...GAPS_SECONDS);

/**
 * When a notice is due again, if the attempt that begins now does not end well, or its process dies.
 * @param attempt 1 for the first
 */
export function nextAttemptAt(attempt: number, now: Date): Date {
  const gap = GAPS_SECONDS[attempt - 1] ?? LONGEST_GAP_SECONDS;
  return new Date(now.getTime() + gap * 1_000);
}
