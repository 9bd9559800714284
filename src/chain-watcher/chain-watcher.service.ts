import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import {
  type BlockRef,
  type ChainAdapter,
  ChainInconsistencyError,
  type ObservedBlock,
} from '../chains/chain-adapter.pure.js';
import type { Chain } from '../chains/chain.pure.js';
import { ChainHealthService } from '../chains/chain-health.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { Meters } from '../platform/observability/meters.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { span } from '../platform/observability/spans.js';
import { isTransient, type Queryable, Sql, sqlState } from '../platform/database/sql.js';
import { TransfersService } from '../payments/transfers.service.js';
import { BlockMatcher } from './block-matcher.service.js';
import { BlockReader } from './block-reader.service.js';
import { ChainCursorService, CursorMovedError } from './chain-cursor.service.js';
import { ChainFinalityService } from './chain-finality.service.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { MempoolWatcher } from './mempool-watcher.service.js';
import { DetectionLatency } from './detection-latency.js';
import { StartHeights } from './start-heights.js';

/** Kept history, in reorg windows. */
const KEPT_WINDOWS = 2;
/** Milliseconds. */
const MARK_AFTER_MS = 5_000;

/** The node's newest block, and a time before which it was asked for it. */
interface SeenTip {
  tip: BlockRef;
  asOf: Date;
}

/**
 * Follows one chain: applies each block by hash, takes back what a fork removed, and records transfers to
 * our deposit addresses, all in one transaction with the cursor. Whatever fails is retried from the start
 * of the step; nothing partial is written and no block is ever skipped (specification/chains.md#following-a-chain).
 */
@Injectable()
export class ChainWatcherService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ChainWatcher');
  private readonly probed = new Set<string>();
  /** The newest block of the node, where this turn saw it. */
  private readonly tips = new Map<string, BlockRef>();
  private readonly heads = new DetectionLatency();
  /** When everything was last known to be recorded, by chain. */
  private readonly marked = new Map<string, Date>();

  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly conditions: ChainHealthService,
    private readonly cursors: ChainCursorService,
    private readonly leases: ChainLeaseService,
    private readonly reader: BlockReader,
    private readonly matcher: BlockMatcher,
    private readonly mempools: MempoolWatcher,
    private readonly transfers: TransfersService,
    private readonly finality: ChainFinalityService,
    private readonly startHeights: StartHeights,
    private readonly loops: PollingLoops,
    private readonly meters: Meters,
    private readonly clock: Clock,
  ) {}

  /** One step on one chain; answers whether more is waiting. Node trouble is reported, not thrown. */
  async runOnce(slug: string): Promise<boolean> {
    const chain = this.chains.get(slug);
    try {
      const isMore = await this.step(chain, this.chains.adapter(slug));
      await this.reportHealthy(slug);
      return isMore;
    } catch (error) {
      if (error instanceof CursorMovedError) {
        this.leases.doubt(slug);
        return true;
      }
      await this.reportTrouble(slug, error);
      return false;
    }
  }

  /** Runs steps until the chain's tip is applied. For tests and commands. */
  async drain(slug: string): Promise<void> {
    while (await this.runOnce(slug)) continue;
  }

  /** Another instance can take over at once; a step still under way is fenced off by its epoch. */
  async beforeApplicationShutdown(): Promise<void> {
    await this.leases.releaseAll();
  }

  private async step(chain: Chain, adapter: ChainAdapter): Promise<boolean> {
    const epoch = await this.leases.acquire(chain.slug);
    if (epoch === null) return false;
    if (!this.probed.has(chain.slug)) {
      await adapter.probe();
      this.probed.add(chain.slug);
    }
    const asOf = this.clock.now();
    const asked = Promise.resolve(adapter.takeAnnounced?.() ?? adapter.tip());
    // Heard below, unless the chain is halted or new.
    asked.catch(() => null);
    const cursor = await this.cursors.find(chain.slug);
    if (!cursor) return this.begin(chain, adapter, epoch);
    if (cursor.isHalted) return false;
    const tip = await asked;
    this.tips.set(chain.slug, tip);
    if (tip.height > cursor.height) this.heads.saw(chain.slug, tip.height, performance.now());
    if (tip.height > cursor.height) return this.advance(chain, adapter, cursor, { tip, asOf }, epoch);
    const kept =
      tip.height === cursor.height ? cursor.hash : await this.cursors.findKeptHash(chain.slug, tip.height);
    // A tip that we know and that is not above us: up to date, or a node that lags behind. Neither is a fork.
    if (kept === tip.hash) {
      await this.settleFinal(chain, adapter, cursor, epoch);
      return tip.hash === cursor.hash && this.watchUnmined(chain, adapter, { tip, asOf }, epoch);
    }
    if (kept === null)
      throw new Error(`the node is far behind: its tip is ${tip.height}, ours is ${cursor.height}`);
    return this.rollBack(chain, adapter, cursor, tip, epoch);
  }

  /** Starts below the tip: a fork right after the start must find its ancestor in the kept history. */
  private async begin(chain: Chain, adapter: ChainAdapter, epoch: number): Promise<boolean> {
    const tip = await adapter.tip();
    const height = this.startHeights.find(chain.slug) ?? Math.max(0, tip.height - chain.reorgWindow);
    const start = await adapter.header(height);
    if (!start) throw new Error(`the node has no block at the start height ${height}`);
    await this.cursors.create(chain.slug, start, epoch);
    this.logger.log({ chain: chain.slug, height }, 'watching from here');
    return true;
  }

  private async advance(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    { tip, asOf }: SeenTip,
    epoch: number,
  ): Promise<boolean> {
    const blocks = await this.reader.read(adapter, cursor, tip);
    const [first] = blocks;
    if (!first) return false;
    if (first.parentHash !== cursor.hash) {
      const fork = { height: cursor.height, hash: first.parentHash };
      return this.rollBack(chain, adapter, cursor, fork, epoch);
    }
    const linked = blocks.slice(0, unbrokenLength(cursor, blocks));
    const reached = await this.apply(chain, adapter, cursor, linked, epoch);
    if (!adapter.mempool && reached.hash === tip.hash) await this.markCaughtUp(chain, reached, asOf, epoch);
    // At the tip the mempool is still to be looked at.
    return adapter.mempool !== undefined || reached.height < tip.height;
  }

  /**
   * Commits blocks in one transaction, as far as their transfers could be verified.
   * @returns where the cursor stands now
   */
  private async apply(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    blocks: readonly ObservedBlock[],
    epoch: number,
  ): Promise<BlockRef> {
    const { known, transfers } = await this.matcher.match(chain, adapter, blocks);
    const last = known.at(-1);
    if (!last) return cursor;
    const finality = await this.finality.read(chain, adapter, known);
    const lowest = last.height - KEPT_WINDOWS * chain.reorgWindow;
    failpoint('blocks.matched');
    const range = { chain: chain.slug, from: cursor.height + 1, to: last.height };
    const commit = async (tx: Queryable) => {
      await this.cursors.advance(tx, chain.slug, cursor, known, lowest, epoch);
      failpoint('blocks.cursor-moved');
      await this.transfers.applyBlocks(tx, {
        chain: chain.slug,
        height: last.height,
        transfers,
        ...finality,
        spends: known.flatMap(({ spends }) => spends ?? []),
      });
    };
    await span('chain.commit', range, () => this.sql.transaction(commit));
    failpoint('blocks.committed');
    for (const seconds of this.heads.committed(chain.slug, last.height, performance.now()))
      this.meters.detection.observe({ chain: chain.slug }, seconds);
    this.wakeOthers();
    return last;
  }

  /**
   * Walks back to the block that both the node and we know, and takes back everything above it.
   * @param from a block of the node's that is none of ours: at our cursor's height, or below it the node's tip
   */
  private async rollBack(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    from: BlockRef,
    epoch: number,
  ): Promise<boolean> {
    const ancestor = await this.findAncestor(chain, adapter, cursor, from);
    if (!ancestor) return false;
    const gone = await this.transfers.transactionsAbove(this.sql, chain.slug, ancestor.height);
    const fates = await Promise.all(gone.map((txHash) => adapter.transactionFate(txHash)));
    // Mined again counts as waiting, too: its new block is still to be applied.
    const waiting = gone.filter((_, i) => fates[i] !== 'unknown');
    await this.sql.transaction(async (tx) => {
      await this.cursors.move(tx, chain.slug, cursor, ancestor, epoch);
      failpoint('reorg.cursor-moved');
      await this.cursors.forgetAbove(tx, chain.slug, ancestor.height);
      await this.transfers.rollBack(tx, chain.slug, ancestor.height, waiting);
      await this.conditions.sawReorg(tx, chain.slug, cursor.height - ancestor.height);
    });
    failpoint('reorg.committed');
    this.mempools.forgetAll(chain.slug);
    this.heads.forgetAbove(chain.slug, ancestor.height);
    this.logger.warn(
      { chain: chain.slug, depth: cursor.height - ancestor.height, orphaned: gone.length },
      'reorg',
    );
    this.wakeOthers();
    return true;
  }

  /**
   * What is not one chain downwards from `from` is no fork but a node that contradicts itself: it must not make us
   * take anything back, let alone halt.
   */
  private async findAncestor(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    from: BlockRef,
  ): Promise<BlockRef | null> {
    let expected = from.hash;
    for (let height = from.height; ; height--) {
      const kept = height < 0 ? null : await this.cursors.findKeptHash(chain.slug, height);
      if (kept === null) {
        await this.demandNewest(chain, adapter);
        const reason = `the fork is deeper than the kept history at height ${height}`;
        await this.cursors.halt(chain.slug, cursor, height, reason);
        this.logger.error({ chain: chain.slug, height }, 'chain halted: fork deeper than the kept history');
        return null;
      }
      const header = await (adapter.agreedHeader?.(height, kept) ?? adapter.header(height));
      if (header?.hash !== expected)
        throw new ChainInconsistencyError(`${chain.slug}: the node shows two blocks ${height}`);
      if (header.hash === kept) return { height, hash: kept };
      expected = header.parentHash;
    }
  }

  /** A node that mixes heights up shows one chain, too, but not up to the tip that it names. */
  private async demandNewest(chain: Chain, adapter: ChainAdapter): Promise<void> {
    const tip = await adapter.tip();
    if ((await adapter.header(tip.height))?.hash !== tip.hash)
      throw new ChainInconsistencyError(`${chain.slug}: the node does not show its newest block`);
  }

  /** Blocks become final without a new one, too. */
  private async settleFinal(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    epoch: number,
  ): Promise<void> {
    const finality = await this.finality.read(chain, adapter, [cursor]);
    if (!('finalHeight' in finality)) return;
    const nothingNew = { chain: chain.slug, height: cursor.height, transfers: [], ...finality };
    await this.sql.transaction(async (tx) => {
      // Fenced like a block: what was final on a branch says nothing of another that was applied meanwhile.
      await this.cursors.hold(tx, chain.slug, cursor, epoch);
      await this.transfers.applyBlocks(tx, nothingNew);
    });
    this.wakeOthers();
  }

  /** Every block is applied: what waits is looked at, and what waits no longer is given up. */
  private async watchUnmined(
    chain: Chain,
    adapter: ChainAdapter,
    { tip, asOf }: SeenTip,
    epoch: number,
  ): Promise<boolean> {
    const { isChanged, isMore, isComplete } = adapter.mempool
      ? await this.mempools.look(chain, adapter.mempool, tip, epoch)
      : { isChanged: false, isMore: false, isComplete: true };
    if (isChanged) this.wakeOthers();
    if (isComplete) await this.markCaughtUp(chain, tip, asOf, epoch);
    await this.dropForgotten(chain, adapter, tip, epoch);
    return isMore;
  }

  /** Written only now and then: whoever asks, asks whether a link's end lies well behind. */
  private async markCaughtUp({ slug }: Chain, at: BlockRef, asOf: Date, epoch: number): Promise<void> {
    const last = this.marked.get(slug);
    if (last && Math.abs(asOf.getTime() - last.getTime()) < MARK_AFTER_MS) return;
    await this.cursors.caughtUp(slug, at, asOf, epoch);
    this.marked.set(slug, asOf);
  }

  /**
   * Transactions that were seen and that no block holds for us: those that the node no longer knows, and those that were
   * mined again without what they had moved (on account chains the same transaction can do other things in another
   * block).
   */
  private async dropForgotten(
    chain: Chain,
    adapter: ChainAdapter,
    tip: BlockRef,
    epoch: number,
  ): Promise<void> {
    const unmined = await this.transfers.unminedTransactions(this.sql, chain.slug);
    if (unmined.length === 0) return;
    const fates = await Promise.all(unmined.map((txHash) => adapter.transactionFate(txHash)));
    const forgotten = unmined.filter((_, i) => fates[i] === 'unknown');
    const mined = unmined.filter((_, i) => fates[i] === 'mined');
    if (forgotten.length + mined.length === 0) return;
    // A block that came meanwhile may hold them: a node without a transaction index would not say so.
    if ((await adapter.tip()).hash !== tip.hash) return;
    const idle = await this.findApplied(chain, adapter, tip, mined);
    if (forgotten.length + idle.length === 0) return;
    await this.sql.transaction(async (tx) => {
      await this.cursors.hold(tx, chain.slug, tip, epoch);
      await this.transfers.drop(tx, chain.slug, { forgotten, idle });
    });
    this.mempools.forget(chain.slug, forgotten);
    this.wakeOthers();
  }

  /** Those that stand in a block which we applied: whatever they did for us in it was recorded then. */
  private async findApplied(
    chain: Chain,
    adapter: ChainAdapter,
    tip: BlockRef,
    txHashes: readonly string[],
  ): Promise<string[]> {
    const applied: string[] = [];
    for (const txHash of txHashes) {
      const seen = await adapter.transaction(txHash);
      if (seen.fate !== 'mined' || seen.block.height > tip.height) continue;
      const kept = await this.cursors.findKeptHash(chain.slug, seen.block.height);
      // Of what lies below the kept history no other version can come.
      if (kept === null || kept === seen.block.hash) applied.push(txHash);
    }
    return applied;
  }

  /** Hints: the loops' own timers are the truth. */
  private wakeOthers(): void {
    this.loops.wake(LoopName.WebhookDelivery);
    this.loops.wake(LoopName.PaymentSweep);
  }

  private async reportHealthy(slug: string): Promise<void> {
    if (this.chains.findHealth(slug)?.ok === false) this.logger.log({ chain: slug }, 'node answers again');
    this.chains.reportHealth(slug, { ok: true });
    const tip = this.tips.get(slug);
    // Without one this turn asked nothing: another instance watches the chain, or it is halted.
    if (tip) await this.conditions.sawHead(slug, tip);
    this.tips.delete(slug);
  }

  private async reportTrouble(slug: string, error: unknown): Promise<void> {
    const message = error instanceof Error ? error.message : String(error);
    if (this.chains.findHealth(slug)?.ok !== false) {
      // A refusal by the database is our bug or an invariant at work; its absence, or a node's failure, is weather.
      const isRefusal = error instanceof Error && sqlState(error) !== null && !isTransient(error);
      const level = isRefusal ? 'error' : 'warn';
      this.logger[level]({ chain: slug, error: message }, 'chain step failed; retrying');
    }
    // A node that comes back may be another node.
    this.probed.delete(slug);
    this.reader.forget(slug);
    this.mempools.forgetAll(slug);
    this.chains.reportHealth(slug, { ok: false, error: message });
    const tip = this.tips.get(slug) ?? null;
    this.tips.delete(slug);
    // Where it is the database that fails, there is nobody left to tell.
    await this.conditions.sawTrouble(slug, message, tip).catch((failure: unknown) => {
      this.logger.debug({ chain: slug, err: failure }, 'condition not written');
    });
  }
}

/** How many of the blocks form one chain on top of the cursor. */
function unbrokenLength(cursor: BlockRef, blocks: readonly ObservedBlock[]): number {
  const broken = blocks.findIndex(
    (block, i) => block.parentHash !== (i === 0 ? cursor : blocks[i - 1])?.hash,
  );
  return broken === -1 ? blocks.length : broken;
}
