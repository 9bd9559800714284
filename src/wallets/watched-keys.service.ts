import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import type { AddressFamily } from '../chains/chain.pure.js';
import { Sql } from '../platform/database/sql.js';
import { outsideUnitOfWork } from '../platform/database/unit-of-work.js';
import { type AddressRange, DepositAddressRepository } from './deposit-address.repository.js';
import { SpareAddressRepository } from './earlier-use/spare-address.repository.js';
import { KeyFilter } from './key-filter.js';
import { WalletRepository } from './wallet.repository.js';

/**
 * Addresses per statement: reading them into the filter blocks this process for some ten milliseconds, and Postgres waits
 * for the next statement while this process is busy with blocks.
 */
const BATCH = 100_000;
/** Pages of the table that hold about as many. */
const PAGES_PER_BATCH = 2_560;
const BELOW_ALL: Buffer = Buffer.alloc(0);

/** The marks of a batch of addresses, and where the next one begins; null: it is the last. */
interface Batch<Place> {
  marks: Buffer | null;
  next: Place | null;
}

/**
 * Rules out most keys that are not deposit addresses without a database query, by a filter of fixed size in memory.
 *
 * The filter must not miss an address, whichever process issued it. Indexes are taken under the wallet's row lock, in
 * the transaction that stores the address, and the database refuses an address above its wallet's counter. So a process
 * that reads a counter of n can read every address below n: {@link fresh} first reads the counters, then the addresses
 * between the last known and the current value of each. The key of an index does not change, and the database refuses
 * to change or delete an address.
 */
@Injectable()
export class WatchedKeys implements BeforeApplicationShutdown {
  private readonly logger = new Logger('WatchedKeys');
  private filter: KeyFilter | null = null;
  /** By wallet: the addresses below this index are in the filter. */
  private readonly known = new Map<string, number>();
  /** Reads run one after the other. */
  private lastTurn: Promise<unknown> = Promise.resolve();
  private filling: Promise<void> | null = null;
  private isStopping = false;

  constructor(
    private readonly sql: Sql,
    private readonly addresses: DepositAddressRepository,
    private readonly wallets: WalletRepository,
    private readonly spares: SpareAddressRepository,
  ) {}

  /**
   * Returns a filter with every address that was stored before this call; null if it could not be filled. The first
   * call waits until it is filled, about half a second for a million addresses: looking up a key in the database takes
   * seven times as long as adding an address to the filter.
   */
  async fresh(): Promise<KeyFilter | null> {
    if (!this.filter) await (this.filling ??= this.fill().finally(() => (this.filling = null)));
    // Other callers use the result as well, so it must not depend on the caller's transaction.
    return this.inTurn(() => outsideUnitOfWork(() => this.catchUp(this.filter)));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.filling;
  }

  private async fill(): Promise<void> {
    try {
      const filter = await this.inTurn(() => this.sql.snapshot(() => this.readAll()));
      if (!this.isStopping) this.filter = filter;
    } catch (error) {
      // Without a filter every key is looked up; the next large range of blocks fills it again.
      const message = error instanceof Error ? error.message : String(error);
      this.logger.warn({ error: message }, 'filter of deposit addresses not filled');
    }
    if (!this.filter) this.known.clear();
  }

  /**
   * Within one snapshot no row moves, and every address below the counters of the snapshot is in it. The index of keys is
   * a quarter of the table, but for rows that were not vacuumed yet Postgres looks into the table, at a page for each. A
   * table with many of these is read in its physical order.
   */
  private async readAll(): Promise<KeyFilter> {
    const filter = new KeyFilter();
    const counters = await this.wallets.listCounters();
    const pages = await this.addresses.describePages();
    if (pages.isVacuumed)
      for (const family of ADDRESS_FAMILIES)
        await this.addAll(filter, BELOW_ALL, (key) => this.readAbove(family, key));
    else await this.addAll(filter, 0, (first) => this.readPages(first, pages.count));
    for (const { id, nextIndex } of counters) this.known.set(id, nextIndex);
    return filter;
  }

  /** Adds each batch to the filter while Postgres reads the next one. */
  private async addAll<Place>(
    filter: KeyFilter,
    first: Place,
    read: (from: Place) => Promise<Batch<Place>>,
  ): Promise<void> {
    let reading: Promise<Batch<Place>> | null = read(first);
    while (reading) {
      const { marks, next }: Batch<Place> = await reading;
      reading = next === null || this.isStopping ? null : read(next);
      if (marks) filter.add(marks);
    }
  }

  private async readAbove(family: AddressFamily, key: Buffer): Promise<Batch<Buffer>> {
    const { marks, last } = await this.addresses.findMarksAbove(family, key, BATCH);
    return { marks, next: last };
  }

  private async readPages(first: number, count: number): Promise<Batch<number>> {
    const past = first + PAGES_PER_BATCH;
    return { marks: await this.addresses.findMarksOfPages(first, past), next: past < count ? past : null };
  }

  private async catchUp(filter: KeyFilter | null): Promise<KeyFilter | null> {
    if (!filter) return null;
    const counters = await this.wallets.listCounters();
    if (counters.some(({ id, nextIndex }) => nextIndex < (this.known.get(id) ?? 0))) {
      // A counter never goes back: the database was replaced by a restored one, and the filter is of the former.
      this.filter = null;
      this.known.clear();
      return null;
    }
    // At most 40 for each key, and those that were handed out are needed anyway.
    const spare = await this.spares.findMarks();
    if (spare) filter.add(spare);
    const ranges = counters.flatMap(({ id, nextIndex }) => rangesOf(id, this.known.get(id) ?? 0, nextIndex));
    for (const batch of batchesOf(ranges)) {
      const marks = await this.addresses.findMarksOfRanges(batch);
      if (marks) filter.add(marks);
      // After each batch, because the next one may fail.
      for (const { walletId, past } of batch) this.known.set(walletId, past);
    }
    return filter;
  }

  private inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.lastTurn.then(work);
    this.lastTurn = turn.catch(() => null);
    return turn;
  }
}

/** The indexes from `known` to below `next`, in ranges of at most {@link BATCH}. */
function rangesOf(walletId: string, known: number, next: number): AddressRange[] {
  return Array.from({ length: Math.max(0, Math.ceil((next - known) / BATCH)) }, (_, i) => {
    const first = known + i * BATCH;
    return { walletId, first, past: Math.min(next, first + BATCH) };
  });
}

/** Groups ranges, in their order, into batches of at most {@link BATCH} indexes. */
function batchesOf(ranges: readonly AddressRange[]): AddressRange[][] {
  const batches: AddressRange[][] = [];
  let capacity = 0;
  for (const range of ranges) {
    const size = range.past - range.first;
    if (size > capacity) {
      batches.push([]);
      capacity = BATCH;
    }
    batches.at(-1)?.push(range);
    capacity -= size;
  }
  return batches;
}
