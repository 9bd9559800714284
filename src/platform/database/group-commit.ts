import { isTransient } from './database-errors.pure.js';
import { outsideUnitOfWork } from './unit-of-work.js';

/** A caller that waits until its item is written. */
interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
  onSent: (() => void) | undefined;
}

export interface GroupBounds {
  /** Maximum number of items in one write. */
  items: number;
  /** Maximum number of concurrent writes. */
  writes: number;
}

/**
 * Writes items that arrive at the same time as one group: while a group is written the next one gathers, so there is
 * one commit per group and a lone item is written at once. When a group fails, its items are written one by one, so
 * one invalid item cannot fail the others; but not while the database is unavailable, when all of them would fail.
 *
 * Groups are never part of the transaction in which an item was added: a group has items of many callers, and must
 * not be rolled back with one of them.
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private writes = 0;
  private isPlanned = false;

  /** @param write returns one result per item, in their order, or writes nothing and rejects */
  constructor(
    private readonly write: (items: Item[]) => Promise<Result[]>,
    private readonly bounds: GroupBounds,
  ) {}

  /**
   * Resolves once the item is written.
   * @param onSent called while its group is being written; for all items of a group in one turn of the event loop
   */
  add(item: Item, onSent?: () => void): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject, onSent });
      this.plan();
    });
  }

  /** Items that arrive in the same turn of the event loop are written together. */
  private plan(): void {
    if (this.isPlanned || this.writes >= this.bounds.writes || this.waiting.length === 0) return;
    this.isPlanned = true;
    outsideUnitOfWork(() =>
      setImmediate(() => {
        this.isPlanned = false;
        void this.writeNext();
      }),
    );
  }

  private async writeNext(): Promise<void> {
    const group = this.waiting.splice(0, this.bounds.items);
    if (group.length === 0) return;
    this.writes++;
    this.plan();
    // In the next turn, when the statement has left; together, because requests that this lets start cost less than
    // those that start one by one (docs/explanation/performance.md#requests-at-a-time).
    setImmediate(() => {
      for (const { onSent } of group) onSent?.();
    });
    await this.writeGroup(group);
    this.writes--;
    this.plan();
  }

  /** Never rejects: failures go to the callers. */
  private async writeGroup(group: Waiting<Item, Result>[]): Promise<void> {
    try {
      const results = await this.write(group.map(({ item }) => item));
      if (results.length !== group.length) throw new Error(`${results.length} results of ${group.length}`);
      for (const [i, { resolve }] of group.entries()) resolve(results[i] as Result);
    } catch (error) {
      const isShared = error instanceof Error && isTransient(error);
      if (group.length > 1 && !isShared) for (const one of group) await this.writeGroup([one]);
      else for (const { reject } of group) reject(error);
    }
  }
}
