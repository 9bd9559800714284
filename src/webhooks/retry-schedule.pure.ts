/** How one attempt ended, as far as the schedule cares. */
export type AttemptOutcome =
  | { kind: 'response'; status: number; retryAfter: string | null }
  /** No answer: refused, unreachable, cut off, too late. */
  | { kind: 'failure' };

/** What becomes of the delivery. `gone`: the endpoint asked never to be called again (410). */
export type NextStep = Retry | 'succeeded' | 'exhausted' | 'gone';

export interface Retry {
  nextAttemptAt: Date;
  /** How long the endpoint has put off tries by now: what {@link FinishedAttempt} asks for after the next one. */
  deferredSeconds: number;
}

export interface FinishedAttempt {
  /** 1 for the first. */
  number: number;
  firstAttemptAt: Date;
  /** For how long answers with Retry-After have put off tries beyond the schedule, all together; 0: never. */
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
  const place = firstAttemptAt.getTime() + (next - start) * 1000 + moved(gapMs, random);
  const soonest = now.getTime() + gapMs * (1 - JITTER);
  const own = Math.max(place, soonest);
  const asked = now.getTime() + retryAfterMs(outcome, now);
  if (deferredSeconds === 0 && asked <= own) return retry(own, 0);

  const end = endOfSchedule(attempt, scheduleSeconds);
  const lastGapMs = gapBeforeLast(scheduleSeconds) * 1000;
  // The end moves by the jitter, too: endpoints that ask for the same do not get their last attempts all at once.
  if (deferredSeconds > 0 && now.getTime() >= end - lastGapMs * JITTER) return 'exhausted';
  const latest = end + moved(lastGapMs, random);
  // Without a wish so far, its own place is never too late: the jitter of a gap may reach beyond a shorter last one.
  const wished = Math.min(Math.max(own, asked), deferredSeconds === 0 ? Math.max(own, latest) : latest);
  return retry(wished, deferredSeconds + Math.ceil(Math.max(0, wished - own) / 1000));
}

/**
 * When the last attempt is due at the latest, in milliseconds, without jitter: at the last place of the schedule; but
 * time that the gateway itself has lost (it was down, the endpoint paused, the event parked) is given back. An event
 * is owed the attempts that an outage of ours kept from being made, one gap at a time, and they may then lie days
 * beyond the last place. What Retry-After has put off is not given back: without it this attempt would have ended
 * `deferredSeconds` ago, and the schedule goes on from there.
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

/** Milliseconds by which an attempt behind a gap moves, to either side. */
function moved(gapMs: number, random: () => number): number {
  return gapMs * JITTER * (2 * random() - 1);
}

function retry(atMs: number, deferredSeconds: number): Retry {
  return { nextAttemptAt: new Date(Math.ceil(atMs)), deferredSeconds };
}

/** How long a 429 or 503 asks us to wait, at most 24 h; 0 without such a wish. */
function retryAfterMs(outcome: AttemptOutcome, now: Date): number {
  if (outcome.kind !== 'response' || (outcome.status !== 429 && outcome.status !== 503)) return 0;
  const text = outcome.retryAfter?.trim() ?? '';
  const wish = /^\d+$/.test(text) ? Number(text) * 1000 : httpDateMs(text) - now.getTime();
  return Number.isNaN(wish) ? 0 : Math.min(Math.max(0, wish), MAX_RETRY_AFTER_MS);
}

/** The three forms of RFC 9110 section 5.6.7: IMF-fixdate, RFC 850, asctime (always UTC, without saying so). */
const HTTP_DATE =
  /^([A-Z][a-z]{2,8}, [\w -]+ \d\d:\d\d:\d\d GMT|[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d \d{4})$/;

function httpDateMs(text: string): number {
  if (!HTTP_DATE.test(text)) return Number.NaN;
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`);
}
