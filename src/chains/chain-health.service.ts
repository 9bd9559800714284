import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import type { Queryable, Sql } from '../platform/database/sql.js';
import { type RecentRead, RecentReads } from '../platform/database/recent-reads.js';
import { CONFIG, type Config } from '../config.js';
import type { BlockRef } from './chain-adapter.pure.js';
import {
  type ChainCondition,
  type ChainState,
  chainState,
  findCatchUp,
  isPayable,
  stallSeconds,
} from './chain-health.pure.js';
import type { ChainConditionEntity } from './chain-condition.entity.js';
import { ChainConditionRepository } from './chain-condition.repository.js';
import { ChainsService } from './chains.service.js';
import { backlogOf, describeCatchUp, type NodeProgress } from './node-progress.pure.js';
import { hidesInternalTransfers, isNativeOffered } from './native-visibility.pure.js';

/** An unchanged condition is written again after this, as a heartbeat. */
const REPEAT_AFTER_MS = 5_000;

type RecordedConditions = Awaited<ReturnType<ChainConditionRepository['find']>>;

/** A chain's recorded condition, with the state derived from it. */
export interface ChainStatus {
  condition: ChainCondition | null;
  halted: { since: Date; reason: string } | null;
  state: ChainState;
  /** Null when the stall check is off. */
  stallSeconds: number | null;
}

/**
 * Health of every chain, kept in the database: the watcher writes it and every process reads it.
 */
@Injectable()
export class ChainHealthService {
  private readonly logger = new Logger('ChainHealthService');
  private readonly written = new Map<string, { what: string; at: number }>();
  /** By slugs: every page asks. */
  private readonly recent: RecentRead<RecordedConditions>;
  /** The last state that was logged, by chain. */
  private readonly logged = new Map<string, ChainState>();
  private readonly untraced = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly records: ChainConditionRepository,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
    recent: RecentReads,
  ) {
    this.recent = recent.of();
  }

  /** For programs without Nest's container, such as the doctor. */
  static of(config: Config, sql: Sql, clock: Clock, chains: ChainsService): ChainHealthService {
    return new ChainHealthService(
      config,
      new ChainConditionRepository(sql),
      clock,
      chains,
      new RecentReads(config),
    );
  }

  /**
   * Records a successful turn of the watcher, and the node's newest block.
   * @param progress null when the node did not say how far it is
   */
  async sawHead(slug: string, head: BlockRef, progress: NodeProgress | null): Promise<void> {
    const endpoints = this.chains.endpoints(slug);
    const [chain, now] = [this.chains.get(slug), this.clock.now()];
    const backlog = progress && backlogOf(progress, chain, this.stallAfter(slug), now);
    const what = `${head.height} ${head.hash} ${backlog !== null} ${JSON.stringify(endpoints)}`;
    if (!this.isNews(slug, what)) return;
    await this.records.recordHead(slug, head, backlog, endpoints, now);
    await this.logPause(slug);
    this.warnOfHiddenTransfers(slug);
  }

  /** Records a failed turn of the watcher. @param head null when it failed before the node returned its newest block */
  async sawTrouble(slug: string, message: string, head: BlockRef | null): Promise<void> {
    const endpoints = this.chains.endpoints(slug);
    if (!this.isNews(slug, `${message} ${head?.hash} ${JSON.stringify(endpoints)}`)) return;
    await this.records.recordTrouble(slug, message, head, endpoints, this.clock.now());
  }

  /** Counts a reorg, in the transaction that reverts the blocks. @param depth number of reverted blocks */
  async sawReorg(tx: Queryable, slug: string, depth: number): Promise<void> {
    await this.records.recordReorg(tx, slug, depth, this.clock.now());
  }

  async statusOf(slug: string): Promise<ChainStatus> {
    const [status] = await this.statusesOf([slug]);
    if (!status) throw new Error(`nothing about the chain "${slug}"`);
    return status;
  }

  /** In the order of the slugs, which must be configured. */
  async statusesOf(slugs: readonly string[]): Promise<ChainStatus[]> {
    const found = await this.recent.get(slugs.join(' '), () => this.records.find(slugs));
    const now = this.clock.now();
    return slugs.map((slug) => {
      const record = found?.get(slug);
      const condition = record?.condition ? toCondition(record.condition) : null;
      const halted = record?.halted ?? null;
      const stallAfter = this.stallAfter(slug);
      const state = chainState(condition, halted !== null, stallAfter, now);
      return { condition, halted, state, stallSeconds: stallAfter };
    });
  }

  /** Turns are more frequent than blocks: a condition that was just written is not written again. */
  private isNews(slug: string, what: string): boolean {
    const last = this.written.get(slug);
    const at = this.clock.now().getTime();
    if (last?.what === what && Math.abs(at - last.at) < REPEAT_AFTER_MS) return false;
    this.written.set(slug, { what, at });
    return true;
  }

  /** Logs once that no endpoint shows payments by contracts. */
  private warnOfHiddenTransfers(slug: string): void {
    if (!hidesInternalTransfers(this.chains.endpoints(slug))) {
      this.untraced.delete(slug);
    } else if (!this.untraced.has(slug)) {
      this.untraced.add(slug);
      const offered = isNativeOffered(this.chains.get(slug), this.chains.endpoints(slug));
      this.logger.warn(
        { chain: slug, offered },
        'no endpoint has traces: payments by contracts in the native coin are not seen',
      );
    }
  }

  /** Seconds; null when the stall check is off. */
  private stallAfter(slug: string): number | null {
    return stallSeconds(this.chains.get(slug), this.config.chainStallBlocks);
  }

  /** Logs once when a responding node has no new blocks, and once when it has them again. */
  private async logPause(slug: string): Promise<void> {
    const { state, condition } = await this.statusOf(slug);
    const before = this.logged.get(slug) ?? 'ok';
    if (state === before) return;
    this.logged.set(slug, state);
    const about = { chain: slug, height: condition?.head?.height };
    const catchUp = findCatchUp(state, condition);
    if (state === 'stalled')
      this.logger.error(
        { ...about, since: condition?.roseAt },
        'chain stalled: no new block for too long; its methods are paused in checkout',
      );
    else if (catchUp)
      this.logger.warn(
        { ...about, left: describeCatchUp(catchUp) },
        'node is catching up with its network; the methods of the chain are paused in checkout',
      );
    else if (state === 'ok' && !isPayable(before)) this.logger.log(about, 'chain has new blocks again');
  }
}

function toCondition(record: ChainConditionEntity): ChainCondition {
  const { headHeight: height, headHash: hash, trouble, troubleSince: since } = record;
  return {
    head: height !== null && hash !== null ? { height, hash } : null,
    roseAt: record.roseAt,
    checkedAt: record.checkedAt,
    trouble: trouble !== null && since !== null ? { message: trouble, since } : null,
    backlog: toBacklog(record),
    reorgs: {
      count: record.reorgs,
      deepest: record.deepestReorg,
      lastDepth: record.lastReorgDepth,
      lastAt: record.lastReorgAt,
    },
    endpoints: record.endpoints,
  };
}

function toBacklog(record: ChainConditionEntity): ChainCondition['backlog'] {
  const { backlogBlocks: blocks, backlogSince: since, backlogMost: startedWith, backlogDeclared } = record;
  if (blocks === null || since === null || startedWith === null) return null;
  return { blocks, since, startedWith, isDeclared: backlogDeclared === true };
}
