import type { Clock } from '../../platform/kernel/clock.pure.js';

/** Average rate of listing a mempool; about 330 KB of JSON per second. */
const HASHES_PER_SECOND = 5_000;

/**
 * Lists a mempool, less often the longer the list is: up to 5,000 hashes at every call, 100,000 every 20 seconds. In
 * between it returns the last list. On main networks the list has megabytes and changes several times a second.
 */
export class ThrottledMempoolList {
  private last: { hashes: string[]; members: ReadonlySet<string>; at: number } | null = null;
  private asking: Promise<string[]> | null = null;

  constructor(
    private readonly ask: () => Promise<string[]>,
    private readonly clock: Clock,
  ) {}

  async read(): Promise<string[]> {
    return this.isDue() ? this.readNow() : (this.last?.hashes ?? []);
  }

  /** Whether the list of {@link read} has this hash. */
  async has(hash: string): Promise<boolean> {
    if (this.isDue()) await this.readNow();
    return this.last?.members.has(hash) ?? false;
  }

  /** Requests a new list; concurrent callers share one request. */
  readNow(): Promise<string[]> {
    this.asking ??= this.refresh().finally(() => (this.asking = null));
    return this.asking;
  }

  /** Makes the next call request a new list. */
  forget(): void {
    this.last = null;
  }

  private isDue(): boolean {
    if (!this.last || this.last.hashes.length <= HASHES_PER_SECOND) return true;
    const age = this.clock.now().getTime() - this.last.at;
    // Negative if the clock was set back.
    return age < 0 || age >= (this.last.hashes.length / HASHES_PER_SECOND) * 1_000;
  }

  private async refresh(): Promise<string[]> {
    const hashes = await this.ask();
    this.last = { hashes, members: new Set(hashes), at: this.clock.now().getTime() };
    return hashes;
  }
}
