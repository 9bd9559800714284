import { type BeforeApplicationShutdown, Injectable, Logger } from '@nestjs/common';
import type { BlockRef, ChainAdapter, ObservedBlock } from '../chains/chain-adapter.js';
import type { Chain } from '../chains/chain-catalogue.js';
import { ChainConditions } from '../chains/chain-conditions.service.js';
import { ChainsService } from '../chains/chains.service.js';
import { PollingLoops } from '../common/polling-loop.js';
import { Sql, sqlState } from '../common/sql.js';
import { TransfersService } from '../payments/transfers.service.js';
import { BlockMatcher } from './block-matcher.service.js';
import { ChainCursorService, CursorMovedError } from './chain-cursor.service.js';
import { ChainFinalityService } from './chain-finality.service.js';
import { ChainLeaseService } from './chain-lease.service.js';
import { MempoolWatcher } from './mempool-watcher.service.js';
import { StartHeights } from './start-heights.js';

/** Blocks fetched at once during catch-up; more does not help (anchors: the node is the bottleneck). */
const PREFETCH = 8;
/** Kept history, in reorg windows. */
const KEPT_WINDOWS = 2;

/**
 * Follows one chain: applies each block by hash, takes back what a fork removed, and records transfers to
 * our deposit addresses, all in one transaction with the cursor. Whatever fails is retried from the start
 * of the step; nothing partial is written and no block is ever skipped (design.md, Laws).
 */
@Injectable()
export class ChainWatcherService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ChainWatcher');
  private readonly probed = new Set<string>();
  /** The newest block of the node, where this turn saw it. */
  private readonly tips = new Map<string, BlockRef>();

  constructor(
    private readonly sql: Sql,
    private readonly chains: ChainsService,
    private readonly conditions: ChainConditions,
    private readonly cursors: ChainCursorService,
    private readonly leases: ChainLeaseService,
    private readonly matcher: BlockMatcher,
    private readonly mempools: MempoolWatcher,
    private readonly transfers: TransfersService,
    private readonly finality: ChainFinalityService,
    private readonly startHeights: StartHeights,
    private readonly loops: PollingLoops,
  ) {}

  /** One step on one chain; answers whether more is waiting. Node trouble is reported, not thrown. */
  async runOnce(slug: string): Promise<boolean> {
    const chain = this.chains.get(slug);
    try {
      const isMore = await this.step(chain, this.chains.adapter(slug));
      await this.reportHealthy(slug);
      return isMore;
    } catch (error) {
      if (error instanceof CursorMovedError) return true;
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
    const cursor = await this.cursors.find(chain.slug);
    if (!cursor) return this.begin(chain, adapter, epoch);
    if (cursor.isHalted) return false;
    const tip = await adapter.tip();
    this.tips.set(chain.slug, tip);
    if (tip.height > cursor.height) return this.advance(chain, adapter, cursor, tip, epoch);
    const kept =
      tip.height === cursor.height ? cursor.hash : await this.cursors.findKeptHash(chain.slug, tip.height);
    // A tip that we know and that is not above us: up to date, or a node that lags behind. Neither is a fork.
    if (kept === tip.hash) {
      await this.settleFinal(chain, adapter, cursor, epoch);
      return tip.hash === cursor.hash && this.watchUnmined(chain, adapter, tip, epoch);
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
    tip: BlockRef,
    epoch: number,
  ): Promise<boolean> {
    const count = Math.min(PREFETCH, tip.height - cursor.height);
    const blocks = await this.fetch(adapter, cursor.height + 1, count);
    const [first] = blocks;
    if (!first) return false;
    if (first.parentHash !== cursor.hash) return this.rollBack(chain, adapter, cursor, cursor, epoch);
    const linked = blocks.slice(0, unbrokenLength(cursor, blocks));
    await this.apply(chain, adapter, cursor, linked, epoch);
    // At the tip the mempool is still to be looked at.
    return adapter.mempool !== undefined || (linked.at(-1)?.height ?? cursor.height) < tip.height;
  }

  /** Consecutive blocks as far as the node answers them; the first failure counts, later ones come next time. */
  private async fetch(adapter: ChainAdapter, from: number, count: number): Promise<ObservedBlock[]> {
    const answers = await Promise.allSettled(
      Array.from({ length: count }, (_, i) => adapter.block(from + i)),
    );
    const blocks: ObservedBlock[] = [];
    for (const answer of answers) {
      if (answer.status === 'rejected') {
        if (blocks.length === 0) throw answer.reason;
        break;
      }
      if (!answer.value) break;
      blocks.push(answer.value);
    }
    return blocks;
  }

  /** Commits runs of blocks: each run ends with a block that pays us, or with the last one. */
  private async apply(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    blocks: readonly ObservedBlock[],
    epoch: number,
  ): Promise<void> {
    const matched = await this.matcher.match(chain, adapter, blocks);
    const finality = await this.finality.read(chain, adapter, blocks);
    let from: BlockRef = cursor;
    let run: ObservedBlock[] = [];
    for (const block of blocks) {
      run.push(block);
      const transfers = matched.get(block.height) ?? [];
      if (transfers.length === 0 && block !== blocks.at(-1)) continue;
      const headers = run;
      const start = from;
      await this.sql.transaction(async (tx) => {
        await this.cursors.move(tx, chain.slug, start, block, epoch);
        await this.cursors.keep(tx, chain.slug, headers);
        await this.cursors.forgetBelow(tx, chain.slug, block.height - KEPT_WINDOWS * chain.reorgWindow);
        await this.transfers.applyBlock(tx, {
          chain: chain.slug,
          height: block.height,
          hash: block.hash,
          time: block.time,
          transfers,
          ...finality,
          spends: headers.flatMap(({ spends }) => spends ?? []),
        });
      });
      from = block;
      run = [];
    }
    this.wakeOthers();
  }

  /**
   * Walks back to the block that both the node and we know, and takes back everything above it.
   * @param from where to start looking: our cursor, or the node's tip when that is lower
   */
  private async rollBack(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    from: BlockRef,
    epoch: number,
  ): Promise<boolean> {
    const ancestor = await this.findAncestor(chain, adapter, cursor, Math.min(from.height, cursor.height));
    if (!ancestor || ancestor.height === cursor.height) return false;
    const gone = await this.transfers.transactionsAbove(this.sql, chain.slug, ancestor.height);
    const fates = await Promise.all(gone.map((txHash) => adapter.transactionFate(txHash)));
    // Mined again counts as waiting, too: its new block is still to be applied.
    const waiting = gone.filter((_, i) => fates[i] !== 'unknown');
    await this.sql.transaction(async (tx) => {
      await this.cursors.move(tx, chain.slug, cursor, ancestor, epoch);
      await this.cursors.forgetAbove(tx, chain.slug, ancestor.height);
      await this.transfers.rollBack(tx, chain.slug, ancestor.height, waiting);
      await this.conditions.sawReorg(tx, chain.slug, cursor.height - ancestor.height);
    });
    this.mempools.forgetAll(chain.slug);
    this.logger.warn(
      { chain: chain.slug, depth: cursor.height - ancestor.height, orphaned: gone.length },
      'reorg',
    );
    this.wakeOthers();
    return true;
  }

  private async findAncestor(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    from: number,
  ): Promise<BlockRef | null> {
    for (let height = from; ; height--) {
      const kept = height < 0 ? null : await this.cursors.findKeptHash(chain.slug, height);
      if (kept === null) {
        const reason = `the fork is deeper than the kept history at height ${height}`;
        await this.cursors.halt(chain.slug, cursor, height, reason);
        this.logger.error({ chain: chain.slug, height }, 'chain halted: fork deeper than the kept history');
        return null;
      }
      const header = await (adapter.agreedHeader?.(height, kept) ?? adapter.header(height));
      if (header?.hash === kept) return { height, hash: kept };
    }
  }

  /** Blocks become final without a new one, too. */
  private async settleFinal(
    chain: Chain,
    adapter: ChainAdapter,
    cursor: BlockRef,
    epoch: number,
  ): Promise<void> {
    const finality = await this.finality.read(chain, adapter, [cursor]);
    const time =
      'finalHeight' in finality ? await this.cursors.findKeptTime(chain.slug, cursor.height) : null;
    if (time === null) return;
    const block = { chain: chain.slug, ...cursor, time, transfers: [], ...finality };
    await this.sql.transaction(async (tx) => {
      // Fenced like a block: what was final on a branch says nothing of another that was applied meanwhile.
      await this.cursors.hold(tx, chain.slug, cursor, epoch);
      await this.transfers.applyBlock(tx, block);
    });
    this.wakeOthers();
  }

  /** Every block is applied: what waits is looked at, and what waits no longer is given up. */
  private async watchUnmined(
    chain: Chain,
    adapter: ChainAdapter,
    tip: BlockRef,
    epoch: number,
  ): Promise<boolean> {
    const { isChanged, isMore } = adapter.mempool
      ? await this.mempools.look(chain, adapter.mempool, tip, epoch)
      : { isChanged: false, isMore: false };
    if (isChanged) this.wakeOthers();
    await this.dropForgotten(chain, adapter, tip, epoch);
    return isMore;
  }

  /** Transactions that were seen, are in no block, and that the node no longer knows. */
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
    if (forgotten.length === 0) return;
    // A block that came meanwhile may hold them: a node without a transaction index would not say so.
    if ((await adapter.tip()).hash !== tip.hash) return;
    await this.sql.transaction(async (tx) => {
      await this.cursors.hold(tx, chain.slug, tip, epoch);
      await this.transfers.drop(tx, chain.slug, forgotten);
    });
    this.mempools.forget(chain.slug, forgotten);
    this.wakeOthers();
  }

  /** Hints: the loops' own timers are the truth. */
  private wakeOthers(): void {
    this.loops.wake('webhooks');
    this.loops.wake('payments-sweep');
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
      // A refusal by the database is our bug or an invariant at work; a node's failure is weather.
      const level = sqlState(error) === null ? 'warn' : 'error';
      this.logger[level]({ chain: slug, error: message }, 'chain step failed; retrying');
    }
    // A node that comes back may be another node.
    this.probed.delete(slug);
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
