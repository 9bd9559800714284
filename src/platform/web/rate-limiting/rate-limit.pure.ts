import { TooManyRequestsError } from '../../kernel/errors/errors.pure.js';

/** A quota of requests in a window; `name` identifies the policy in the response headers. */
export interface Policy {
  name: string;
  quota: number;
  windowSeconds: number;
}

/** A limit of the configuration, per minute; null where it is switched off. */
export function minutely(name: string, quota: number): Policy | null {
  return quota > 0 ? { name, quota, windowSeconds: 60 } : null;
}

/**
 * The same in windows of ten seconds, for limits of what one user may cost the others: quota that was saved up cannot
 * be spent at once.
 */
export function evenly(name: string, quotaPerMinute: number): Policy | null {
  return quotaPerMinute > 0
    ? { name, quota: Math.max(1, Math.floor(quotaPerMinute / 6)), windowSeconds: 10 }
    : null;
}

/** The state of a client's bucket after a request. */
export interface Standing {
  policy: Policy;
  /** Requests that would be admitted now. */
  remaining: number;
  /** Seconds until the bucket is full, rounded up. */
  resetSeconds: number;
  /** Seconds until a request is admitted, at least 1; null when this one was. */
  retryAfterSeconds: number | null;
}

/*
 * A token bucket whose state is one number: the time at which it is full again (generic cell rate algorithm). It holds
 * `quota` requests and gets one back every `window / quota`. Times are whole microseconds of Unix time, so that
 * rounding errors do not add up; they stay below 2^53 until the year 2255.
 */

/** Microseconds after which one request is given back. */
export function costOf({ quota, windowSeconds }: Policy): number {
  return Math.floor((windowSeconds * 1_000_000) / quota);
}

/** Microseconds in which an empty bucket fills. */
export function capacityOf(policy: Policy): number {
  return costOf(policy) * policy.quota;
}

/**
 * How long a bucket still has to fill, in microseconds; 0 when it is full. Never more than its capacity: a clock that
 * was set back must not lock clients out.
 */
function missing(policy: Policy, restoredAt: number, now: number): number {
  return Math.min(Math.max(restoredAt - now, 0), capacityOf(policy));
}

/** The state of a bucket from which nothing is taken. @param isRefused the bucket was empty */
export function standingAt(policy: Policy, restoredAt: number, now: number, isRefused: boolean): Standing {
  const lacking = missing(policy, restoredAt, now);
  const wait = lacking + costOf(policy) - capacityOf(policy);
  return {
    policy,
    remaining: isRefused ? 0 : Math.floor((capacityOf(policy) - lacking) / costOf(policy)),
    resetSeconds: Math.ceil(lacking / 1_000_000),
    retryAfterSeconds: isRefused ? Math.max(1, Math.ceil(wait / 1_000_000)) : null,
  };
}

/** The state of a bucket at `now`: refused if it is empty. */
export function standingOf(policy: Policy, restoredAt: number, now: number): Standing {
  const standing = standingAt(policy, restoredAt, now, false);
  return standing.remaining === 0 ? standingAt(policy, restoredAt, now, true) : standing;
}

/** Takes one request out of a bucket; a refused request takes nothing, so that waiting always helps. */
export function spend(
  policy: Policy,
  restoredAt: number,
  now: number,
): { restoredAt: number; standing: Standing } {
  const lacking = missing(policy, restoredAt, now);
  const isRefused = lacking + costOf(policy) > capacityOf(policy);
  const after = now + lacking + (isRefused ? 0 : costOf(policy));
  return { restoredAt: after, standing: standingAt(policy, after, now, isRefused) };
}

/** The strictest standing: the refused one with the longest wait, otherwise the one with the fewest remaining. */
export function tightest(standings: readonly Standing[]): Standing | null {
  const order = (a: Standing, b: Standing) =>
    (b.retryAfterSeconds ?? 0) - (a.retryAfterSeconds ?? 0) || a.remaining - b.remaining;
  return [...standings].sort(order)[0] ?? null;
}

/**
 * The headers of a response: the structured fields (RFC 9651) of the IETF draft "RateLimit header fields for HTTP", and
 * the pair that older clients read. `t` is seconds until the quota is restored.
 */
export function headersOf(standings: readonly Standing[]): Record<string, string> {
  const tight = tightest(standings);
  if (!tight) return {};
  const list = (item: (standing: Standing) => string) => standings.map(item).join(', ');
  return {
    'RateLimit-Policy': list(
      ({ policy: { name, quota, windowSeconds } }) => `"${name}";q=${quota};w=${windowSeconds}`,
    ),
    RateLimit: list(
      ({ policy: { name }, remaining, resetSeconds }) => `"${name}";r=${remaining};t=${resetSeconds}`,
    ),
    'X-RateLimit-Limit': String(tight.policy.quota),
    'X-RateLimit-Remaining': String(tight.remaining),
  };
}

/** The one place that makes a 429 of a rate: the strictest of these standings refuses the request. */
export function refusalOf(standings: readonly Standing[]): TooManyRequestsError {
  return new TooManyRequestsError(tightest(standings)?.retryAfterSeconds ?? 1, headersOf(standings));
}

/** A 429 for what somebody already has open at once, of which no more than `quota` are allowed. */
export function refusalAtOnce(name: string, quota: number, retryAfterSeconds: number): TooManyRequestsError {
  return new TooManyRequestsError(retryAfterSeconds, {
    'RateLimit-Policy': `"${name}";q=${quota};qu="concurrent-requests"`,
    RateLimit: `"${name}";r=0`,
    'X-RateLimit-Limit': String(quota),
    'X-RateLimit-Remaining': '0',
  });
}

const LIMIT_HEADERS = ['RateLimit-Policy', 'RateLimit', 'X-RateLimit-Limit', 'X-RateLimit-Remaining'];

/** Passes a 429 on that this program has made for a request of its own. @param headers names in small letters */
export function refusalAgain(headers: Readonly<Record<string, unknown>>): TooManyRequestsError {
  const limits = LIMIT_HEADERS.map((name) => [name, headers[name.toLowerCase()]] as const);
  const shown = limits.filter((pair): pair is [string, string] => typeof pair[1] === 'string');
  return new TooManyRequestsError(Number(headers['retry-after'] ?? 60), Object.fromEntries(shown));
}
