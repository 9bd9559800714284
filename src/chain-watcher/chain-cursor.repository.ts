import { Injectable } from '@nestjs/common';
import type { BlockHeader, BlockRef } from '../chains/chain-adapter.pure.js';
import { bulkInsert, columnsOf, rowsOf } from '../platform/database/entity-sql.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { ChainBlockEntity } from './chain-block.entity.js';
import { ChainCursorEntity } from './chain-cursor.entity.js';
import { isKept, type KeptHistory } from './kept-history.pure.js';

/** Milliseconds between two writes of `caught_up_at`. */
const MARK_AFTER_MS = 5_000;

/** Another watcher moved the cursor first. The transaction rolls back and nothing is lost. */
export class CursorMovedError extends Error {}

/**
 * Milliseconds for which a process that was frozen in its transaction keeps a chain from the next one, no longer than one
 * that has ended does (docs/explanation/reliability.md): Postgres ends the transaction then.
 */
const LONGEST_PAUSE_MS = 5_000;
const NOT_FROZEN = `set_config('idle_in_transaction_session_timeout', '${LONGEST_PAUSE_MS}', true)`;

const CURSOR = columnsOf(ChainCursorEntity, 'c', ['height', 'hash', 'epoch', 'haltedAt']);
const FIND = `select ${CURSOR.list} from chain_cursors c where c.chain = $1`;
const CREATE = `insert into chain_cursors (chain, height, hash, epoch) values ($1, $2, $3, $4) on conflict (chain) do nothing`;
// Compare-and-set: only from this watcher's position, and only with the newest lease
// (specification/chains.md#following-a-chain).
const MOVE = `
  update chain_cursors set height = $4, hash = $5, epoch = $6, updated_at = now()
  where chain = $1 and height = $2 and hash = $3 and epoch <= $6 and halted_at is null
  returning chain, ${NOT_FROZEN}`;
const KEEP = `on conflict (chain, height) do update
  set hash = excluded.hash, parent_hash = excluded.parent_hash, block_time = excluded.block_time`;
// MOVE with its blocks in one statement, to commit a block in as few round trips as possible.
const APPLIED = rowsOf(ChainBlockEntity, ['height', 'hash', 'parentHash', 'time'], { after: 9, as: 'block' });
const ADVANCE = `
  with moved as (${MOVE}), kept as (
    insert into chain_blocks (chain, ${APPLIED.columns})
    select moved.chain, ${APPLIED.select} from moved, ${APPLIED.from} ${KEEP}
  ), forgotten as (
    delete from chain_blocks b using moved where b.chain = moved.chain and b.height < $7
      and (b.height % $8 <> 0 or b.height < $9)
  )
  select chain from moved`;
const KEEP_BLOCK = bulkInsert(ChainBlockEntity, ['chain', 'height', 'hash', 'parentHash', 'time'], KEEP);
// Locks the cursor in place until the transaction ends, under the same conditions.
const HOLD = `
  select chain, ${NOT_FROZEN} from chain_cursors
  where chain = $1 and height = $2 and hash = $3 and epoch <= $4 and halted_at is null for share`;
const LOCK_ACTIVE = `
  select ${CURSOR.list} from chain_cursors c where c.chain = $1 and c.halted_at is null for no key update`;
const LOCK = `select chain from chain_cursors where chain = $1 and height = $2 and hash = $3 for update`;
const FORGET_ABOVE = `delete from chain_blocks where chain = $1 and height > $2`;
const KEPT = columnsOf(ChainBlockEntity, 'b', ['height', 'hash']);
const KEPT_RANGE = `select ${KEPT.list} from chain_blocks b where b.chain = $1 and b.height between $2 and $3`;
const KEPT_BELOW = `
  select ${KEPT.list} from chain_blocks b where b.chain = $1 and b.height < $2 order by b.height desc`;
const KEPT_HASH = `select hash from chain_blocks where chain = $1 and height = $2`;
// Conditional like MOVE: what an overtaken watcher saw is outdated.
const CAUGHT_UP = `
  update chain_cursors set caught_up_at = greatest(caught_up_at, $4::timestamptz)
  where chain = $1 and height = $2 and hash = $3 and epoch <= $5 and halted_at is null`;
const HALT = `update chain_cursors set halted_at = now(), halt_reason = $2 where chain = $1 and halted_at is null`;
const LOCK_HALTED = `
  select halt_reason as reason from chain_cursors where chain = $1 and halted_at is not null for update`;
const RESUME = `update chain_cursors set halted_at = null, halt_reason = null where chain = $1`;

/** The watcher's position on each chain, and the blocks kept behind it. */
@Injectable()
export class ChainCursorRepository {
  /** The newest `asOf` written by this process, by chain. */
  private readonly caughtUp = new Map<string, Date>();

  constructor(private readonly sql: Sql) {}

  /** Null when the chain has never been watched. */
  async find(chain: string): Promise<(BlockRef & { isHalted: boolean }) | null> {
    const [row] = await this.sql.query<object>(FIND, [chain]);
    if (!row) return null;
    const { height, hash, haltedAt } = CURSOR.toEntity(row);
    return { height, hash, isHalted: haltedAt !== null };
  }

  /** Creates the cursor at a block, which counts as applied. */
  async create(chain: string, start: BlockHeader, epoch: number): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await tx.query(CREATE, [chain, start.height, start.hash, epoch]);
      await tx.query(KEEP_BLOCK.text, KEEP_BLOCK.values([{ ...start, chain }]));
    });
  }

  /** @throws CursorMovedError when the cursor is no longer at `from` */
  async move(tx: Queryable, chain: string, from: BlockRef, to: BlockRef, epoch: number): Promise<void> {
    const moved = await tx.query(MOVE, [chain, from.height, from.hash, to.height, to.hash, epoch]);
    if (moved.length !== 1) throw new CursorMovedError(`the cursor of ${chain} moved`);
  }

  /**
   * Moves the cursor to a block without those before it: only for a chain that has no address, or by the operator.
   * @param kept the whole history from then on
   * @throws CursorMovedError when the cursor is no longer at `from`
   */
  async skipTo(
    chain: string,
    from: BlockRef,
    to: BlockRef,
    kept: readonly BlockHeader[],
    epoch: number,
  ): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await this.move(tx, chain, from, to, epoch);
      await this.forgetAbove(tx, chain, -1);
      await tx.query(KEEP_BLOCK.text, KEEP_BLOCK.values(kept.map((header) => ({ ...header, chain }))));
    });
  }

  /**
   * Moves the cursor up over blocks that form one chain on top of it, and keeps those blocks.
   * @param history what to keep; other blocks are deleted
   * @throws CursorMovedError when the cursor is no longer at `from`
   */
  async advance(
    tx: Queryable,
    chain: string,
    from: BlockRef,
    blocks: readonly BlockHeader[],
    history: KeptHistory,
    epoch: number,
  ): Promise<void> {
    const last = blocks.at(-1);
    if (!last) throw new Error(`no blocks to move the cursor of ${chain} over`);
    const moved = await tx.query(ADVANCE, [
      chain,
      from.height,
      from.hash,
      last.height,
      last.hash,
      epoch,
      history.lowest,
      history.markEvery,
      history.lowestMark,
      ...APPLIED.values(blocks.filter(({ height }) => isKept(height, history))),
    ]);
    if (moved.length !== 1) throw new CursorMovedError(`the cursor of ${chain} moved`);
  }

  /** Locks the cursor for the transaction. @throws CursorMovedError when it is not at `at` */
  async hold(tx: Queryable, chain: string, at: BlockRef, epoch: number): Promise<void> {
    const held = await tx.query(HOLD, [chain, at.height, at.hash, epoch]);
    if (held.length !== 1) throw new CursorMovedError(`the cursor of ${chain} moved`);
  }

  /**
   * Locks the cursor, wherever it is by now.
   * @param seen an earlier position, which must still be part of the applied chain
   * @throws CursorMovedError when `seen` was reverted, or the chain is halted
   */
  async lock(tx: Queryable, chain: string, seen: BlockRef): Promise<BlockRef & { epoch: number }> {
    const [row] = await tx.query<object>(LOCK_ACTIVE, [chain]);
    const isKept = (await this.findKeptHash(chain, seen.height)) === seen.hash;
    if (!row || !isKept) throw new CursorMovedError(`the cursor of ${chain} moved`);
    const { height, hash, epoch } = CURSOR.toEntity(row);
    return { height, hash, epoch };
  }

  async forgetAbove(tx: Queryable, chain: string, height: number): Promise<void> {
    await tx.query(FORGET_ABOVE, [chain, height]);
  }

  /** The hash that was applied at a height, or null when it is no longer kept. */
  async findKeptHash(chain: string, height: number): Promise<string | null> {
    const [row] = await this.sql.query<{ hash: string }>(KEPT_HASH, [chain, height]);
    return row?.hash ?? null;
  }

  /** The applied blocks of a range of heights that are kept, as hashes by height. */
  async findKeptHashes(chain: string, from: number, to: number): Promise<Map<number, string>> {
    const rows = await this.sql.query<object>(KEPT_RANGE, [chain, from, to]);
    return new Map(rows.map(KEPT.toEntity).map(({ height, hash }) => [height, hash]));
  }

  /** The applied blocks below a height that are kept, highest first. */
  async findKeptBelow(chain: string, height: number): Promise<BlockRef[]> {
    const rows = await this.sql.query<object>(KEPT_BELOW, [chain, height]);
    return rows.map(KEPT.toEntity);
  }

  /**
   * Records that everything the node had at `asOf` is recorded: blocks up to its tip, and its mempool. Written every few
   * seconds only: readers compare it with times that lie well behind.
   */
  async markCaughtUp(chain: string, at: BlockRef, asOf: Date, epoch: number): Promise<void> {
    const last = this.caughtUp.get(chain);
    if (last && Math.abs(asOf.getTime() - last.getTime()) < MARK_AFTER_MS) return;
    await this.sql.query(CAUGHT_UP, [chain, at.height, at.hash, asOf, epoch]);
    this.caughtUp.set(chain, asOf);
  }

  /**
   * Stops a chain whose kept history does not reach down to `missingHeight`, until an operator decides; nothing is ever
   * skipped. Checks again under a lock, because another watcher may be rolling back the same blocks.
   * @throws CursorMovedError when the chain need not be halted
   */
  async halt(chain: string, at: BlockRef, missingHeight: number, reason: string): Promise<void> {
    await this.sql.transaction(async (tx) => {
      const held = await tx.query(LOCK, [chain, at.height, at.hash]);
      const kept = await tx.query(KEPT_HASH, [chain, missingHeight]);
      if (held.length !== 1 || kept.length > 0) throw new CursorMovedError(`the cursor of ${chain} moved`);
      await tx.query(HALT, [chain, reason]);
    });
  }

  /** Ends a halt. Returns its reason, or null when there is none. */
  async resume(tx: Queryable, chain: string): Promise<string | null> {
    const [halted] = await tx.query<{ reason: string | null }>(LOCK_HALTED, [chain]);
    if (!halted) return null;
    await tx.query(RESUME, [chain]);
    return halted.reason ?? 'no reason given';
  }
}
