import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { KeyFilter, MARK_BYTES, MARK_POSITION, SHORTEST_KEY } from './key-filter.js';

/** Indexes of wallets that one statement reads: this process does nothing else for some milliseconds. */
const AT_ONCE = 25_000;
/** Pages of the table that one statement of the first reading scans: some 25,000 addresses, too. */
const PAGES_AT_ONCE = 640;
/** Statements at once: one is read here while Postgres works on the other. */
const READERS = 2;

const NEXT_INDEXES = `select id, next_index from wallets where next_index > 0`;
const MARKS = `
  select string_agg(substr(d.key, ${MARK_POSITION}, ${MARK_BYTES}), ''::bytea) as marks from deposit_addresses d`;
const MARKS_OF_PIECES = `${MARKS}
  join unnest($1::uuid[], $2::bigint[], $3::bigint[]) as piece (wallet_id, first, past)
    on d.wallet_id = piece.wallet_id and d.derivation_index >= piece.first and d.derivation_index < piece.past
  where length(d.key) >= ${SHORTEST_KEY}`;
const PAGES = `select pg_relation_size('deposit_addresses') / current_setting('block_size')::bigint as pages`;
/** $1 and $2: places in the table, from and below. */
const MARKS_OF_PAGES = `${MARKS} where d.ctid >= $1 and d.ctid < $2 and length(d.key) >= ${SHORTEST_KEY}`;

interface Counter {
  id: string;
  next_index: string;
}

/** Of some addresses, one after the other; null: there are none. */
interface Marks {
  marks: Buffer | null;
}

/** Indexes `first` to below `past` of one wallet. */
interface Piece {
  walletId: string;
  first: number;
  past: number;
}

/**
 * Tells most keys of others from deposit addresses without a look into the database, in memory of a fixed size.
 *
 * No address may ever be missing, whichever process issued it. Indexes are given out under the wallet's row lock,
 * in the transaction that stores the address, and the database refuses an address above its wallet's counter. So
 * whoever sees a counter at n can read every address below n: {@link fresh} reads the counters first, then the
 * addresses between what it knew of each and what it sees now. A wallet's index is one key for ever, and the
 * database lets no address be changed or deleted.
 */
@Injectable()
export class WatchedKeys implements BeforeApplicationShutdown {
  private readonly logger = new Logger('WatchedKeys');
  private filter: KeyFilter | null = null;
  /** By wallet: addresses below are in the filter. */
  private readonly known = new Map<string, number>();
  /** One reads at a time. */
  private lastTurn: Promise<unknown> = Promise.resolve();
  private filling: Promise<void> | null = null;
  private isStopping = false;

  constructor(private readonly sql: Sql) {}

  /**
   * A filter that holds every address that was stored before this call; null where it could not be filled. The first
   * call waits until it is, about half a second for a million addresses: to look up every key of a backlog costs
   * each of them seven times as much as an address costs to be read into the filter.
   */
  async fresh(): Promise<KeyFilter | null> {
    if (!this.filter) await (this.filling ??= this.fill().finally(() => (this.filling = null)));
    return this.inTurn(() => this.catchUp(this.filter));
  }

  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await this.filling;
  }

  private async fill(): Promise<void> {
    try {
      const filter = await this.inTurn(() => this.sql.snapshot((tx) => this.readAll(tx)));
      if (!this.isStopping) this.filter = filter;
    } catch (error) {
      // Without it everything is looked up; the next large range tries again.
      const message = error instanceof Error ? error.message : String(error);
      this.logger.warn({ error: message }, 'filter of deposit addresses not filled');
    }
    if (!this.filter) this.known.clear();
  }

  /**
   * The table from its first page to its last, which costs less than to go by wallet and index. Within one snapshot no
   * row changes its place, and it holds every address below the counters that it shows.
   */
  private async readAll(tx: Queryable): Promise<KeyFilter> {
    const filter = new KeyFilter();
    const wallets = await tx.query<Counter>(NEXT_INDEXES);
    const [table] = await tx.query<{ pages: string }>(PAGES);
    const pages = Number(table?.pages ?? 0);
    for (let page = 0; page < pages && !this.isStopping; page += READERS * PAGES_AT_ONCE) {
      const starts = Array.from({ length: READERS }, (_, i) => page + i * PAGES_AT_ONCE);
      const answers = await Promise.all(
        starts.map((first) =>
          tx.query<Marks>(MARKS_OF_PAGES, [`(${first},0)`, `(${first + PAGES_AT_ONCE},0)`]),
        ),
      );
      for (const [row] of answers) if (row?.marks) filter.add(row.marks);
    }
    for (const { id, next_index: next } of wallets) this.known.set(id, Number(next));
    return filter;
  }

  private async catchUp(filter: KeyFilter | null): Promise<KeyFilter | null> {
    if (!filter) return null;
    const wallets = await this.sql.queryApart<Counter>(NEXT_INDEXES);
    if (wallets.some(({ id, next_index: next }) => Number(next) < (this.known.get(id) ?? 0))) {
      // A counter that went back is another database's, restored under our feet: what we know is not of this one.
      this.filter = null;
      this.known.clear();
      return null;
    }
    const pieces = wallets.flatMap(({ id, next_index: next }) =>
      piecesOf(id, this.known.get(id) ?? 0, Number(next)),
    );
    for (const batch of batchesOf(pieces)) {
      const [row] = await this.sql.queryApart<Marks>(MARKS_OF_PIECES, [
        batch.map(({ walletId }) => walletId),
        batch.map(({ first }) => first),
        batch.map(({ past }) => past),
      ]);
      if (row?.marks) filter.add(row.marks);
      // Only what was read is known.
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

function piecesOf(walletId: string, known: number, next: number): Piece[] {
  return Array.from({ length: Math.max(0, Math.ceil((next - known) / AT_ONCE)) }, (_, i) => {
    const first = known + i * AT_ONCE;
    return { walletId, first, past: Math.min(next, first + AT_ONCE) };
  });
}

/** As many of them together as one statement reads, in their order. */
function batchesOf(pieces: readonly Piece[]): Piece[][] {
  const batches: Piece[][] = [];
  let room = 0;
  for (const piece of pieces) {
    const size = piece.past - piece.first;
    if (size > room) {
      batches.push([]);
      room = AT_ONCE;
    }
    batches.at(-1)?.push(piece);
    room -= size;
  }
  return batches;
}
