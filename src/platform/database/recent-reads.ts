import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { currentUnitOfWork, outsideUnitOfWork } from './unit-of-work.js';

/** Kept per kind; a few hundred bytes each. */
const MAX_KEYS = 10_000;

/**
 * What was read last, for so short a time that every process follows a change within a second
 * (docs/explanation/performance.md#rights-are-remembered-for-a-second). A process that makes the change itself follows at once:
 * {@link AuditLog} clears everything after the commit of each recorded action.
 */
@Injectable()
export class RecentReads {
  private readonly kinds: RecentRead<unknown>[] = [];

  constructor(@Inject(CONFIG) private readonly config: Config) {}

  /** One kind of reads, by texts that say everything that the result depends on. */
  of<Value>(): RecentRead<Value> {
    const kind = new RecentRead<Value>(this.config.accessCacheMs);
    this.kinds.push(kind);
    return kind;
  }

  clear(): void {
    for (const kind of this.kinds) kind.clear();
  }
}

/** Callers that want the same meanwhile share a read, and must not change what they get. */
export class RecentRead<Value> {
  /** By key, the one read longest ago first. */
  private readonly entries = new Map<string, { startedAt: number; value: Promise<Value | null> }>();

  /** @param forMs since the read was sent: what is committed later may be missing for so long; 0: nothing is kept */
  constructor(
    private readonly forMs: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Nothing is kept of a failure, nor that there was nothing. A transaction reads for itself. */
  get(key: string, read: () => Promise<Value | null>): Promise<Value | null> {
    if (this.forMs === 0 || currentUnitOfWork()) return read();
    const startedAt = this.now();
    const known = this.entries.get(key);
    if (known && startedAt - known.startedAt < this.forMs) return known.value;
    const entry = { startedAt, value: outsideUnitOfWork(read) };
    this.entries.delete(key);
    const [oldest] = this.entries.keys();
    if (this.entries.size >= MAX_KEYS && oldest !== undefined) this.entries.delete(oldest);
    this.entries.set(key, entry);
    const forget = () => {
      if (this.entries.get(key) === entry) this.entries.delete(key);
    };
    entry.value.then((value) => value ?? forget(), forget);
    return entry.value;
  }

  clear(): void {
    this.entries.clear();
  }
}
