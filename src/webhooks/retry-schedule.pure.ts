/** The result of an attempt, as far as it matters for the schedule. */
export type AttemptOutcome =
  | { kind: 'response'; status: number; retryAfter: string | null }
  /** No response: refused, unreachable, disconnected or timed out. */
  | { kind: 'failure' };

/** What follows an attempt. `gone`: the endpoint returned 410 and must not be called again. */
export type NextStep = Retry | 'succeeded' | 'exhausted' | 'gone';

export interface Retry {
  nextAttemptAt: Date;
  /** Seconds by which Retry-After has postponed attempts so far: input of the next {@link FinishedAttempt}. */
  deferredSeconds: number;
}

export interface FinishedAttempt {
  /** 1 for the first. */
  number: number;
  firstAttemptAt: Date;
  /** Total seconds by which Retry-After has postponed attempts beyond the schedule. */
  deferredSeconds: number;
  /** When the outcome was known. */
  now: Date;
  outcome: AttemptOutcome;
}

/**
 * Jitter as a share of the gap, so that a recovered endpoint does not get all retries at once
 * (specification/webhooks.md#retries).
 */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/** The longest time until the next attempt that no receiver has asked for. @param schedule as of {@link decideNextStep} */
export function longestGapSeconds(schedule: readonly number[]): number {
  const gaps = schedule.slice(1).map((offset, i) => offset - (schedule[i] ?? 0));
  return Math.max(0, ...gaps) * (1 + JITTER);
}

/** The longest time that may pass between now and the next attempt. @param schedule as of {@link decideNextStep} */
export function longestWaitSeconds(schedule: readonly number[]): number {
  return longestGapSeconds(schedule) + MAX_RETRY_AFTER_MS / 1_000;
}

/** How long a process may work on an attempt: its timeout for the connection, and for the response, and some. */
export const leaseSeconds = (timeoutMs: number): number => 30 + (2 * timeoutMs) / 1_000;

/**
 * Decides what follows an attempt (specification/webhooks.md#retries). The next attempt keeps its place in the
 * schedule, plus jitter, but is at least a jittered gap from now, so that slow responses or an outage of the gateway do
 * not use up the schedule in one burst. Retry-After postpones it, but never beyond the end of the schedule: anything
 * later becomes the last attempt there, however many places are left.
 * @param scheduleSeconds offsets of the attempts from the first, rising; their count is the most attempts
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function decideNextStep(
  attempt: FinishedAttempt,
  scheduleSeconds: readonly number[],
  random: () => number,
): NextStep {
  const { number, outcome, now, firstAttemptAt, deferredSeconds } = attempt;
  if (outcome.kind === 'response') {
    if (outcome.status >= 200 && outcome.status <= 299) return 'succeeded';
    if (outcome.status === 410) return 'gone';
  }
  const [start = 0] = scheduleSeconds;
  const previous = scheduleSeconds[number - 1];
  const next = scheduleSeconds[number];
  if (previous === undefined || next === undefined) return 'exhausted';
  const gapMs = Math.max(0, next - previous) * 1000;
  const place = firstAttemptAt.getTime() + (next - start) * 1000 + jitterOf(gapMs, random);
  const soonest = now.getTime() + gapMs * (1 - JITTER);
  const own = Math.max(place, soonest);
  const requested = now.getTime() + retryAfterMs(outcome, now);
  if (deferredSeconds === 0 && requested <= own) return retry(own, 0);

  const end = endOfSchedule(attempt, scheduleSeconds);
  const lastGapMs = gapBeforeLast(scheduleSeconds) * 1000;
  // The end has jitter, too, so that endpoints with equal Retry-After do not get their last attempts all at once.
  if (deferredSeconds > 0 && now.getTime() >= end - lastGapMs * JITTER) return 'exhausted';
  const latest = end + jitterOf(lastGapMs, random);
  // Without an earlier Retry-After its own place is never too late: jitter may reach beyond a shorter last gap.
  const at = Math.min(Math.max(own, requested), deferredSeconds === 0 ? Math.max(own, latest) : latest);
  return retry(at, deferredSeconds + Math.ceil(Math.max(0, at - own) / 1000));
}

/**
 * The latest time of the last attempt, in milliseconds, without jitter: the last place of the schedule, extended by time
 * that the gateway lost (it was down, the endpoint paused, the event blocked). Attempts that an outage prevented are
 * made up, one gap at a time, even days beyond the last place. Time postponed by Retry-After does not extend it: without
 * Retry-After this attempt would have ended `deferredSeconds` ago, and the schedule continues from there.
 */
function endOfSchedule(
  { number, now, firstAttemptAt, deferredSeconds }: FinishedAttempt,
  scheduleSeconds: readonly number[],
): number {
  const [start = 0] = scheduleSeconds;
  const last = scheduleSeconds.at(-1) ?? start;
  const left = Math.max(0, last - (scheduleSeconds[number - 1] ?? last));
  const undisturbed = now.getTime() - deferredSeconds * 1000;
  return Math.max(firstAttemptAt.getTime() + (last - start) * 1000, undisturbed + left * 1000 * (1 - JITTER));
}

function gapBeforeLast(scheduleSeconds: readonly number[]): number {
  return Math.max(0, (scheduleSeconds.at(-1) ?? 0) - (scheduleSeconds.at(-2) ?? 0));
}

/** Jitter of an attempt after a gap, in milliseconds, positive or negative. */
function jitterOf(gapMs: number, random: () => number): number {
  return gapMs * JITTER * (2 * random() - 1);
}

function retry(atMs: number, deferredSeconds: number): Retry {
  return { nextAttemptAt: new Date(Math.ceil(atMs)), deferredSeconds };
}

/** The delay that a 429 or 503 requests, at most 24 h; 0 without Retry-After. */
function retryAfterMs(outcome: AttemptOutcome, now: Date): number {
  if (outcome.kind !== 'response' || (outcome.status !== 429 && outcome.status !== 503)) return 0;
  const text = outcome.retryAfter?.trim() ?? '';
  const delay = /^\d+$/.test(text) ? Number(text) * 1000 : httpDateMs(text) - now.getTime();
  return Number.isNaN(delay) ? 0 : Math.min(Math.max(0, delay), MAX_RETRY_AFTER_MS);
}

/** The three forms of RFC 9110 section 5.6.7: IMF-fixdate, RFC 850, asctime (always UTC). */
const HTTP_DATE =
  /^([A-Z][a-z]{2,8}, [\w -]+ \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

function httpDateMs(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
