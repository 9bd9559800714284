import { isTransient } from './sql.js';

/** Somebody who waits for the write of an item. */
interface Waiting<Item, Result> {
  item: Item;
  resolve: (result: Result) => void;
  reject: (error: unknown) => void;
}

export interface GroupBounds {
  /** Items of one write at most. */
  items: number;
  /** Writes under way at once. */
  writes: number;
}

/**
 * Writes together what comes at the same time: while some are written the next ones gather, so that a commit is
 * paid once a group and a lone item waits for nobody. A group that fails is written item by item, so that only
 * the guilty one fails; but not while the database is away, when all of them fail alike.
 */
export class GroupCommit<Item, Result> {
  private waiting: Waiting<Item, Result>[] = [];
  private writes = 0;
  private isPlanned = false;

  /** @param write answers one result an item, in their order, or writes nothing and rejects */
  constructor(
    private readonly write: (items: Item[]) => Promise<Result[]>,
    private readonly bounds: GroupBounds,
  ) {}

  /** Resolves once the item is written. */
  add(item: Item): Promise<Result> {
    return new Promise<Result>((resolve, reject) => {
      this.waiting.push({ item, resolve, reject });
      this.plan();
    });
  }

  /** What arrives in the same turn of the event loop goes together. */
  private plan(): void {
    if (this.isPlanned || this.writes >= this.bounds.writes || this.waiting.length === 0) return;
    this.isPlanned = true;
    setImmediate(() => {
      this.isPlanned = false;
      void this.writeNext();
    });
  }

  private async writeNext(): Promise<void> {
    const group = this.waiting.splice(0, this.bounds.items);
    if (group.length === 0) return;
    this.writes++;
    this.plan();
    await this.writeGroup(group);
    this.writes--;
    this.plan();
  }

  /** Never rejects: those who wait hear of it. */
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
