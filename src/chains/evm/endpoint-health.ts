/** What an endpoint is asked for; a success clears only failures of its own kind. */
export type Operation = 'start' | 'tip' | 'finality' | 'header' | 'block' | 'receipts' | 'fate';

/** How one endpoint behaved lately. Times are milliseconds since 1970. */
export interface EndpointHealth {
  /** In a row. */
  readonly failures: number;
  /** Of the newest failure; null while there is none. */
  readonly failedIn: Operation | null;
  readonly lastError: string | null;
  /** Asked before that only when nobody else is left. */
  readonly restsUntil: number;
  /** The newest block that it has shown; null before it has shown one. */
  readonly tipHeight: number | null;
}

export const NEW_ENDPOINT: EndpointHealth = {
  failures: 0,
  failedIn: null,
  lastError: null,
  restsUntil: 0,
  tipHeight: null,
};

/** Blocks that an endpoint may be behind the best: nodes hear of a block one after the other. */
export const TOLERATED_LAG = 2;
const FIRST_REST_MS = 1_000;
const LONGEST_REST_MS = 60_000;

/** Each failure in a row doubles the rest, from a second to a minute. */
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

/** An endpoint that shows its tip and lies about blocks is still one that lies about blocks. */
export function afterSuccess(health: EndpointHealth, operation: Operation): EndpointHealth {
  if (health.failures === 0 || health.failedIn !== operation) return health;
  return { ...health, failures: 0, failedIn: null, restsUntil: 0 };
}

/** It showed this tip, or nothing at the height above it. */
export function withTip(health: EndpointHealth, tipHeight: number): EndpointHealth {
  return { ...health, tipHeight };
}

export function isResting(health: EndpointHealth, now: number): boolean {
  return health.restsUntil > now;
}

/** The highest tip among those that do not rest: what a failing endpoint claims is no measure for others. */
export function bestTip(all: readonly EndpointHealth[], now: number): number | null {
  const heights = all.flatMap((health) =>
    isResting(health, now) || health.tipHeight === null ? [] : [health.tipHeight],
  );
  return heights.length === 0 ? null : Math.max(...heights);
}

/** Blocks behind the best tip; null while it has shown none. */
export function lagOf(health: EndpointHealth, best: number | null): number | null {
  return health.tipHeight === null || best === null ? null : Math.max(0, best - health.tipHeight);
}
