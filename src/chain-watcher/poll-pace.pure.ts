/** Least pause between two turns that announcements cause, on chains whose blocks come faster. */
const ANNOUNCED_MS = 2_000;
/** Block times without an announcement, and the least milliseconds, after which the timer polls again. */
const SILENT_BLOCKS = 3;
const SILENT_MS = 10_000;
/** A timer may fire this part of its interval early. */
const SLACK = 0.1;
/** The longest pause between two looks at the clock. */
const LONGEST_TICK_MS = 1_000;

/** Between two looks at a chain that has no address to watch. */
const IDLE_MS = 60_000;

/** What the pace of a chain depends on. */
export interface PollTiming {
  intervalMs: number;
  blockSeconds: number;
  /** Nothing changes between two blocks, so announced blocks replace the timer. */
  isReadByBlocks: boolean;
}

/**
 * When the watcher's next turn on a chain is due: at the interval, or, while a node announces its blocks, at each block
 * and not in between. Times are milliseconds of a monotonic clock.
 */
export class PollPace {
  private turnAt = -Infinity;
  private announcedAt = -Infinity;
  private idleAt = -Infinity;
  private isAnnounced = false;
  private isMore = false;

  constructor(private readonly timing: PollTiming) {}

  /** How often to ask whether a turn is due. */
  get tickMs(): number {
    return Math.min(this.timing.intervalMs, LONGEST_TICK_MS);
  }

  /** A node has announced a block. */
  announce(now: number): void {
    this.announcedAt = now;
    this.isAnnounced = true;
  }

  isDue(now: number): boolean {
    if (this.isMore) return true;
    const { intervalMs, isReadByBlocks } = this.timing;
    const waited = now - this.turnAt;
    if (this.isAnnounced) return isOver(waited, this.announcedPause);
    return isOver(waited, intervalMs) && !(isReadByBlocks && this.isAnnouncing(now));
  }

  /**
   * Whether a chain without addresses is due for a look. The first turn after that comes at once.
   * @param isHealthy otherwise its methods are paused, so the next look does not wait for a minute
   */
  isIdleDue(now: number, isHealthy: boolean): boolean {
    const { intervalMs } = this.timing;
    return isOver(now - this.idleAt, isHealthy ? Math.max(IDLE_MS, intervalMs) : intervalMs);
  }

  lookedIdly(now: number): void {
    this.idleAt = now;
  }

  began(now: number): void {
    this.turnAt = now;
    this.isAnnounced = false;
    this.isMore = false;
  }

  /** @param isMore another turn should follow at once */
  ended(isMore: boolean): void {
    this.isMore = isMore;
  }

  private get announcedPause(): number {
    const { blockSeconds, intervalMs } = this.timing;
    return blockSeconds * 1_000 < ANNOUNCED_MS ? Math.min(intervalMs, ANNOUNCED_MS) : 0;
  }

  /** Announcements come, so one that has not come yet means that there is no block. */
  private isAnnouncing(now: number): boolean {
    return now - this.announcedAt < Math.max(SILENT_BLOCKS * this.timing.blockSeconds * 1_000, SILENT_MS);
  }
}

function isOver(waited: number, pause: number): boolean {
  return waited >= pause * (1 - SLACK);
}
