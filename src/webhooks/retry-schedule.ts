/** How one attempt ended, as far as the schedule cares. */
export type AttemptOutcome =
  | { kind: 'response'; status: number; retryAfter: string | null }
  /** No answer: refused, unreachable, cut off, too late. */
  | { kind: 'failure' };

/** What becomes of the delivery. `gone`: the endpoint asked never to be called again (410). */
export type NextStep = { nextAttemptAt: Date } | 'succeeded' | 'exhausted' | 'gone';

export interface FinishedAttempt {
  /** 1 for the first. */
  number: number;
  firstAttemptAt: Date;
  /** When the outcome was known. */
  now: Date;
  outcome: AttemptOutcome;
}

/** Share of a gap by which an attempt moves, so that recovered endpoints are not hit by all at once (api.md G4). */
const JITTER = 0.2;
const MAX_RETRY_AFTER_MS = 24 * 3_600_000;

/**
 * Decides after an attempt (api.md G4). The next one keeps its place in the schedule, moved by the jitter; but
 * it never comes sooner than a jittered gap from now, so that slow answers or an outage of the gateway do not
 * burn the rest of the schedule in one burst.
 * @param scheduleSeconds offsets of the attempts from the first, rising; their count is the number of attempts
 * @param random from 0 (inclusive) to 1 (exclusive)
 */
export function decideNextStep(
  attempt: FinishedAttempt,
  scheduleSeconds: readonly number[],
  random: () => number,
): NextStep {
  const { number, outcome, now, firstAttemptAt } = attempt;
  if (outcome.kind === 'response') {
    if (outcome.status >= 200 && outcome.status <= 299) return 'succeeded';
    if (outcome.status === 410) return 'gone';
  }
  const [start = 0] = scheduleSeconds;
  const previous = scheduleSeconds[number - 1];
  const next = scheduleSeconds[number];
  if (previous === undefined || next === undefined) return 'exhausted';
  const gapMs = Math.max(0, next - previous) * 1000;
  const place = firstAttemptAt.getTime() + (next - start) * 1000 + gapMs * JITTER * (2 * random() - 1);
  const soonest = now.getTime() + gapMs * (1 - JITTER);
  const asked = now.getTime() + retryAfterMs(outcome, now);
  return { nextAttemptAt: new Date(Math.ceil(Math.max(place, soonest, asked))) };
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
