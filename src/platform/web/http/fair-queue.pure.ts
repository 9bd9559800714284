import { groupOf, TenantCounts } from '../../kernel/tenant-counts.pure.js';

/** Requests that run at a time (docs/explanation/performance.md#requests-at-a-time). */
export const CAPACITY = 8;
/** The most requests that run at a time, while many wait. */
export const MAX_CAPACITY = 16;
/** Requests that any tenant may run, even while {@link CAPACITY} others run; and no more of them while others ask, too. */
export const SHARE = 2;
/** Milliseconds for which somebody who has asked is expected to ask again. */
export const PRESENT_MS = 10_000;
/** Milliseconds after which requests that wait are no burst, such as that of a page that opens: more is asked than is done. */
export const BACKLOG_MS = 250;
/** However many others run, so often in milliseconds the next one of a tenant with a backlog begins. */
export const TURN_MS = 50;

type Start = () => void;

/** Of a group of which requests wait: since when, and when one of them last began, in milliseconds. */
interface Queued {
  count: number;
  readonly since: number;
  startedAt: number;
}

/**
 * Who is served next. All requests share one processor, so that of forty requests sent at once the last one, and
 * whatever comes after it, would wait for all of them. So a few run at a time and the rest waits; the next one is of the
 * tenant that runs the fewest. A tenant that runs fewer than {@link SHARE} never waits, and one who is not alone runs no
 * more: each turn of the event loop that another one's request needs comes after one of every request that runs. Who asks
 * for more than is done, for a quarter of a second, begins nothing while a request of somebody else runs who does not.
 */
export class FairQueue {
  private readonly running = new TenantCounts();
  private runningCount = 0;
  /** By tenant, in the order of arrival. Few tenants: each of them runs its share. */
  private readonly waiting = new Map<string, Set<Start>>();
  private readonly queued = new Map<string, Queued>();
  private readonly runningGroups = new Set<string>();
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

  /**
   * Calls `start` when it is the request's turn; from then on it counts as running and needs one {@link finish}.
   * @param sinceMs when the request came: a long one waits again and again
   */
  wait(tenant: string, start: Start, sinceMs = this.nowMs): void {
    const starts = this.waiting.get(tenant) ?? new Set();
    this.waiting.set(tenant, starts.add(start));
    const group = groupOf(tenant);
    const queued = this.queued.get(group);
    if (queued) queued.count++;
    else this.queued.set(group, { count: 1, since: sinceMs, startedAt: this.nowMs });
  }

  /** Takes out a request that no longer waits. */
  remove(tenant: string, start: Start): void {
    const starts = this.waiting.get(tenant);
    if (!starts?.delete(start)) return;
    if (starts.size === 0) this.waiting.delete(tenant);
    const group = groupOf(tenant);
    const queued = this.queued.get(group);
    if (queued && --queued.count === 0) this.queued.delete(group);
  }

  /** A request that ran has ended, or only waits for something outside of this process: the next ones start. */
  finish(tenant: string, nowMs: number): void {
    this.count(tenant, -1);
    this.startNext(nowMs);
  }

  /** Starts all that wait and may run. */
  startNext(nowMs: number): void {
    this.nowMs = nowMs;
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
    const group = groupOf(tenant);
    const isFree =
      !this.mustYield(group) &&
      (this.running.of(tenant) < SHARE || (this.runningCount < capacity && this.isAlone(group)));
    if (!isFree) return false;
    const queued = this.queued.get(group);
    if (queued) queued.startedAt = this.nowMs;
    this.count(tenant, 1);
    return true;
  }

  private mustYield(group: string): boolean {
    const queued = this.queued.get(group);
    if (!queued || !this.hasBacklog(group) || this.nowMs - queued.startedAt >= TURN_MS) return false;
    for (const other of this.runningGroups.keys())
      if (other !== group && !this.hasBacklog(other)) return true;
    return false;
  }

  private hasBacklog(group: string): boolean {
    const queued = this.queued.get(group);
    return queued !== undefined && this.nowMs - queued.since >= BACKLOG_MS;
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
      if (!this.mustYield(groupOf(tenant)))
        if (fewest === null || this.running.of(tenant) < this.running.of(fewest)) fewest = tenant;
    if (fewest === null) return null;
    for (const start of this.waiting.get(fewest) ?? []) return { tenant: fewest, start };
    return null;
  }

  private count(tenant: string, change: 1 | -1): void {
    this.running.add(tenant, change);
    this.runningCount += change;
    const group = groupOf(tenant);
    if (this.running.of(group) === 0) this.runningGroups.delete(group);
    else this.runningGroups.add(group);
  }
}
