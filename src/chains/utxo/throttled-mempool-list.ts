import type { Clock } from '../../platform/runtime/clock.pure.js';

/** Hashes a second that listing a mempool may take, on average: about 330 KB of JSON. */
const HASHES_A_SECOND = 5_000;

/**
 * A mempool's list, never older than its length is worth: up to 5,000 hashes are asked for every time, 100,000
 * every 20 seconds. Until then the last list stands. On main networks the list has megabytes, and it changes
 * several times a second.
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

  /** Whether the list as {@link read} answers it has this hash. */
  async has(hash: string): Promise<boolean> {
    if (this.isDue()) await this.readNow();
    return this.last?.members.has(hash) ?? false;
  }

  /** A list from now; those who ask at the same time share one. */
  readNow(): Promise<string[]> {
    this.asking ??= this.refresh().finally(() => (this.asking = null));
    return this.asking;
  }

  /** The next reader gets a new list. */
  forget(): void {
    this.last = null;
  }

  private isDue(): boolean {
    if (!this.last || this.last.hashes.length <= HASHES_A_SECOND) return true;
    const age = this.clock.now().getTime() - this.last.at;
    // A clock that was set back counts as well.
    return age < 0 || age >= (this.last.hashes.length / HASHES_A_SECOND) * 1_000;
  }

  private async refresh(): Promise<string[]> {
    const hashes = await this.ask();
    this.last = { hashes, members: new Set(hashes), at: this.clock.now().getTime() };
    return hashes;
  }
}
