/** Requests of one tenant that run at a time while other tenants are active. */
export const SHARE = 2;
/** Milliseconds after its last request for which a tenant counts as active. */
export const ACTIVE_MS = 60_000;

type Start = () => void;

/**
 * Who is served next. All requests share one processor, so that of forty requests sent at once the last one, and
 * whatever comes after it, would wait for all of them. A tenant that is alone runs as many as it sends; beside others
 * it runs {@link SHARE} at a time, and the rest waits in the order of arrival.
 */
export class FairQueue {
  private readonly running = new Map<string, number>();
  private readonly waiting = new Map<string, Set<Start>>();
  /** Milliseconds at which each active tenant last sent a request; the longest ago first. */
  private readonly lastSeen = new Map<string, number>();

  get waitingCount(): number {
    let count = 0;
    for (const starts of this.waiting.values()) count += starts.size;
    return count;
  }

  /**
   * Starts a request now, or when it is its turn. Each started one needs one {@link finish}.
   * @param now milliseconds of a clock that never goes back
   */
  add(tenant: string, now: number, start: Start): void {
    this.note(tenant, now);
    if (this.canStart(tenant)) return this.run(tenant, start);
    const starts = this.waiting.get(tenant) ?? new Set();
    this.waiting.set(tenant, starts.add(start));
  }

  /** Takes out a request that no longer waits. @returns whether it was still waiting */
  remove(tenant: string, start: Start): boolean {
    const starts = this.waiting.get(tenant);
    const isFound = starts?.delete(start) ?? false;
    if (starts?.size === 0) this.waiting.delete(tenant);
    return isFound;
  }

  /** A started request has ended, or only waits for something outside of this process: the next ones start. */
  finish(tenant: string, now: number): void {
    const left = (this.running.get(tenant) ?? 0) - 1;
    if (left < 0) throw new Error('more requests finished than were started');
    if (left === 0) this.running.delete(tenant);
    else this.running.set(tenant, left);
    this.forgetInactive(now);
    for (const start of this.waiting.get(tenant) ?? []) {
      if (!this.canStart(tenant)) return;
      this.remove(tenant, start);
      this.run(tenant, start);
    }
  }

  private canStart(tenant: string): boolean {
    const isAlone = this.lastSeen.size === 0 || (this.lastSeen.size === 1 && this.lastSeen.has(tenant));
    return isAlone || (this.running.get(tenant) ?? 0) < SHARE;
  }

  private run(tenant: string, start: Start): void {
    this.running.set(tenant, (this.running.get(tenant) ?? 0) + 1);
    start();
  }

  private note(tenant: string, now: number): void {
    this.lastSeen.delete(tenant);
    this.lastSeen.set(tenant, now);
    this.forgetInactive(now);
  }

  private forgetInactive(now: number): void {
    for (const [tenant, seen] of this.lastSeen) {
      if (seen + ACTIVE_MS > now) return;
      this.lastSeen.delete(tenant);
    }
  }
}
