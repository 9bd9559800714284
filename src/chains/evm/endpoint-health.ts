/** Type of a request; a success clears only failures of the same type. */
export type Operation =
  'start' | 'tip' | 'finality' | 'header' | 'block' | 'traces' | 'receipts' | 'proof' | 'fate';

/** Recent behavior of one endpoint. Times are milliseconds since 1970. */
export interface EndpointHealth {
  /** Consecutive. */
  readonly failures: number;
  /** Type of the latest failure; null when there is none. */
  readonly failedIn: Operation | null;
  readonly lastError: string | null;
  /** Until then it is asked only when no other endpoint is left. */
  readonly restsUntil: number;
  /** Until then it rate-limits us; no failure. */
  readonly pausedUntil: number;
  /** The newest block that it has shown; null before the first one. */
  readonly tipHeight: number | null;
}

export const NEW_ENDPOINT: EndpointHealth = {
  failures: 0,
  failedIn: null,
  lastError: null,
  restsUntil: 0,
  pausedUntil: 0,
  tipHeight: null,
};

/** Blocks that an endpoint may lag behind the best: nodes receive a block at different times. */
export const TOLERATED_LAG = 2;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/** Each consecutive failure doubles the rest, from a second to a minute. */
export function afterFailure(
  health: EndpointHealth,
  operation: Operation,
  error: string,
  now: number,
): EndpointHealth {
  const failures = health.failures + 1;
  const rest = Math.min(FIRST_REST_MS * 2 ** Math.min(failures - 1, 30), LONGEST_REST_MS);
  return { ...health, failures, failedIn: operation, lastError: error, restsUntil: now + rest };
}

/** Success of another type does not clear the failure: an endpoint may show its tip and still return bad blocks. */
export function afterSuccess(health: EndpointHealth, operation: Operation): EndpointHealth {
  if (health.failures === 0 || health.failedIn !== operation) return health;
  return { ...health, failures: 0, failedIn: null, restsUntil: 0 };
}

/** For an endpoint that showed this tip, or no block at the height above it. */
export function withTip(health: EndpointHealth, tipHeight: number): EndpointHealth {
  return { ...health, tipHeight };
}

export function isResting(health: EndpointHealth, now: number): boolean {
  return health.restsUntil > now;
}

/** Whether another endpoint should be asked first: after a failure, or while it rate-limits us. */
export function isAskedLast(health: EndpointHealth, now: number): boolean {
  return isResting(health, now) || health.pausedUntil > now;
}

/** The highest tip among endpoints that are not resting, because the tip of a failing one is not reliable. */
export function bestTip(all: readonly EndpointHealth[], now: number): number | null {
  const heights = all.flatMap((health) =>
    isResting(health, now) || health.tipHeight === null ? [] : [health.tipHeight],
  );
  return heights.length === 0 ? null : Math.max(...heights);
}

/** Blocks behind the best tip; null before it has shown one. */
export function lagOf(health: EndpointHealth, best: number | null): number | null {
  return health.tipHeight === null || best === null ? null : Math.max(0, best - health.tipHeight);
}
