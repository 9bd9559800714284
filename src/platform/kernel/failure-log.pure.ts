/** A failure that has ended, for its summary. */
export interface EndedFailure {
  cause: string;
  times: number;
  /** Between the first and the last time. */
  seconds: number;
}

/** A failure that does not occur for this time has ended. */
const QUIET_MS = 60_000;
/** Causes kept at a time. */
const MOST_CAUSES = 32;

/**
 * Repeated failures of one thing, so that each cause is logged when it begins and summed up when it ends, however often
 * it occurs and whatever succeeds in between. Times are milliseconds since 1970.
 */
export class FailureLog {
  private readonly causes = new Map<string, { first: number; last: number; times: number }>();

  /** @returns whether the failure is to be logged: the first of its cause */
  failed(message: string, now: number): boolean {
    const cause = causeOf(message);
    const known = this.causes.get(cause);
    if (known) {
      known.times++;
      known.last = now;
      return false;
    }
    const [oldest] = this.causes.keys();
    if (this.causes.size >= MOST_CAUSES && oldest !== undefined) this.causes.delete(oldest);
    this.causes.set(cause, { first: now, last: now, times: 1 });
    return true;
  }

  /** Call after a success. @returns the failures that have ended since the last call */
  ended(now: number): EndedFailure[] {
    const ended: EndedFailure[] = [];
    for (const [cause, { first, last, times }] of this.causes) {
      if (now - last < QUIET_MS) continue;
      this.causes.delete(cause);
      ended.push({ cause, times, seconds: Math.round((last - first) / 1_000) });
    }
    return ended;
  }
}

/** The message without what changes from one time to the next: heights, hashes, durations. */
function causeOf(message: string): string {
  return message.replace(/0x[0-9a-f]+|[0-9a-f]{16,}|\d+/gi, '#').slice(0, 300);
}
