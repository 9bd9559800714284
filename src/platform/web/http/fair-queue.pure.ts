import { groupOf, TenantCounts } from '../../kernel/tenant-counts.pure.js';

/** Requests that run at a time (docs/explanation/performance.md#requests-at-a-time). */
export const CAPACITY = 8;
/** The most requests that run at a time, while many wait. */
export const MAX_CAPACITY = 16;
/** Requests that any tenant may run, even while {@link CAPACITY} others run; and no more of them while others ask, too. */
export const SHARE = 2;
/** Milliseconds for which somebody who has asked is expected to ask again. */
export const PRESENT_MS = 10_000;

type Start = () => void;

/**
 * Who is served next. All requests share one processor, so that of forty requests sent at once the last one, and
 * whatever comes after it, would wait for all of them. So a few run at a time and the rest waits; the next one is of the
 * tenant that runs the fewest. A tenant that runs fewer than {@link SHARE} never waits, and one who is not alone runs no
 * more: each turn of the event loop that another one's request needs comes after one of every request that runs.
 */
export class FairQueue {
  private readonly running = new TenantCounts();
  private runningCount = 0;
  /** By tenant, in the order of arrival. Few tenants: each of them runs its share. */
  private readonly waiting = new Map<string, Set<Start>>();
  /** When the last two groups of tenants asked: whoever asks, the other one is the last of all others. */
  private readonly present = new Map<string, number>();
  private nowMs = 0;

  get waitingCount(): number {
    let count = 0;
    for (const starts of this.waiting.values()) count += starts.size;
    return count;
  }

  /**
   * Counts a request that has just arrived as running, if it may run now; it needs one {@link finish}. Beyond
   * {@link CAPACITY} only requests that wait are started, so that no new one overtakes them.
   * @param nowMs of any clock that only goes on
   * @returns whether it may
   */
  tryStart(tenant: string, nowMs: number): boolean {
    this.nowMs = nowMs;
    const group = groupOf(tenant);
    this.present.delete(group);
    this.present.set(group, nowMs);
    const [oldest] = this.present.keys();
    if (this.present.size > 2 && oldest !== undefined) this.present.delete(oldest);
    return this.tryRun(tenant, CAPACITY);
  }

  /** Calls `start` when it is the request's turn; from then on it counts as running and needs one {@link finish}. */
  wait(tenant: string, start: Start): void {
    const starts = this.waiting.get(tenant) ?? new Set();
    this.waiting.set(tenant, starts.add(start));
  }

  /** Takes out a request that no longer waits. */
  remove(tenant: string, start: Start): void {
    const starts = this.waiting.get(tenant);
    starts?.delete(start);
    if (starts?.size === 0) this.waiting.delete(tenant);
  }

  /** A request that ran has ended, or only waits for something outside of this process: the next ones start. */
  finish(tenant: string): void {
    this.count(tenant, -1);
    const capacity = this.capacity();
    for (let next = this.findNext(); next && this.tryRun(next.tenant, capacity); next = this.findNext()) {
      this.remove(next.tenant, next.start);
      this.moveBehindOthers(next.tenant);
      next.start();
    }
  }

  /** Half of the requests that run or wait: they gather for one statement while the other half is written. */
  private capacity(): number {
    const half = Math.floor((this.runningCount + this.waitingCount) / 2);
    return Math.min(Math.max(half, CAPACITY), MAX_CAPACITY);
  }

  private tryRun(tenant: string, capacity: number): boolean {
    const isFree =
      this.running.of(tenant) < SHARE || (this.runningCount < capacity && this.isAlone(groupOf(tenant)));
    if (isFree) this.count(tenant, 1);
    return isFree;
  }

  private isAlone(group: string): boolean {
    return [...this.present].every(([other, at]) => other === group || this.nowMs - at >= PRESENT_MS);
  }

  /** Of those that run equally many, such as all strangers, another one is next. */
  private moveBehindOthers(tenant: string): void {
    const starts = this.waiting.get(tenant);
    if (!starts) return;
    this.waiting.delete(tenant);
    this.waiting.set(tenant, starts);
  }

  private findNext(): { tenant: string; start: Start } | null {
    let fewest: string | null = null;
    for (const tenant of this.waiting.keys())
      if (fewest === null || this.running.of(tenant) < this.running.of(fewest)) fewest = tenant;
    if (fewest === null) return null;
    for (const start of this.waiting.get(fewest) ?? []) return { tenant: fewest, start };
    return null;
  }

  private count(tenant: string, change: 1 | -1): void {
    this.running.add(tenant, change);
    this.runningCount += change;
  }
}
