import { Inject, Injectable, Logger } from '@nestjs/common';
import { Clock } from '../platform/runtime/clock.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import type { BlockRef } from './chain-adapter.pure.js';
import {
  type ChainCondition,
  type ChainState,
  chainState,
  isPayable,
  stallSeconds,
} from './chain-health.pure.js';
import { ChainsService } from './chains.service.js';
import type { EndpointReport } from './evm/evm-endpoint.js';

const SAW_HEAD = `
  insert into chain_conditions as c (chain, head_height, head_hash, highest_height, rose_at, checked_at, endpoints)
  values ($1, $2, $3, $2, $4, $4, $5)
  on conflict (chain) do update set head_height = $2, head_hash = $3, checked_at = $4, trouble = null, trouble_since = null,
    endpoints = $5,
    rose_at = case when c.highest_height >= $2 then c.rose_at else $4 end,
    highest_height = greatest(c.highest_height, $2)`;
const SAW_TROUBLE = `
  insert into chain_conditions as c
    (chain, checked_at, trouble, trouble_since, head_height, head_hash, highest_height, rose_at, endpoints)
  values ($1, $2::timestamptz, $3, $2, $4::bigint, $5::text, $4, case when $4 is not null then $2 end, $6)
  on conflict (chain) do update set checked_at = $2, trouble = $3, trouble_since = coalesce(c.trouble_since, $2),
    endpoints = $6,
    head_height = coalesce($4, c.head_height), head_hash = coalesce($5, c.head_hash),
    rose_at = case when $4 is null or c.highest_height >= $4 then c.rose_at else $2 end,
    highest_height = greatest(c.highest_height, $4)`;
const SAW_REORG = `
  insert into chain_conditions as c (chain, checked_at, reorgs, deepest_reorg, last_reorg_depth, last_reorg_at)
  values ($1, $2, 1, $3, $3, $2)
  on conflict (chain) do update set reorgs = c.reorgs + 1, deepest_reorg = greatest(c.deepest_reorg, $3),
    last_reorg_depth = $3, last_reorg_at = $2`;
const READ = `
  select n.chain, o.head_height, o.head_hash, o.rose_at, o.checked_at, o.trouble, o.trouble_since, o.reorgs,
    o.deepest_reorg, o.last_reorg_depth, o.last_reorg_at, o.endpoints, c.halted_at, c.halt_reason
  from unnest($1::text[]) n (chain)
  left join chain_conditions o on o.chain = n.chain left join chain_cursors c on c.chain = n.chain`;

/** An unchanged condition is written again after this, as a heartbeat. */
const REPEAT_AFTER_MS = 5_000;

interface Row {
  chain: string;
  head_height: string | null;
  head_hash: string | null;
  rose_at: Date | null;
  checked_at: Date | null;
  trouble: string | null;
  trouble_since: Date | null;
  reorgs: string | null;
  deepest_reorg: number | null;
  last_reorg_depth: number | null;
  last_reorg_at: Date | null;
  endpoints: EndpointReport[] | null;
  halted_at: Date | null;
  halt_reason: string | null;
}

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
  private readonly stalled = new Set<string>();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly chains: ChainsService,
  ) {}

  /** Records a successful turn of the watcher, and the node's newest block. */
  async sawHead(slug: string, head: BlockRef): Promise<void> {
    const endpoints = JSON.stringify(this.chains.endpoints(slug));
    if (!this.isNews(slug, `${head.height} ${head.hash} ${endpoints}`)) return;
    await this.sql.query(SAW_HEAD, [slug, head.height, head.hash, this.clock.now(), endpoints]);
    await this.warnOfStall(slug);
  }

  /** Records a failed turn of the watcher. @param head null when it failed before the node returned its newest block */
  async sawTrouble(slug: string, message: string, head: BlockRef | null): Promise<void> {
    const endpoints = JSON.stringify(this.chains.endpoints(slug));
    const values = [slug, this.clock.now(), message, head?.height ?? null, head?.hash ?? null, endpoints];
    if (this.isNews(slug, `${message} ${head?.hash} ${endpoints}`)) await this.sql.query(SAW_TROUBLE, values);
  }

  /** Counts a reorg, in the transaction that reverts the blocks. @param depth number of reverted blocks */
  async sawReorg(tx: Queryable, slug: string, depth: number): Promise<void> {
    await tx.query(SAW_REORG, [slug, this.clock.now(), depth]);
  }

  /** False when a payment could go unnoticed, so that checkout must not offer the chain. */
  async isReachable(slug: string): Promise<boolean> {
    return isPayable((await this.statusOf(slug)).state);
  }

  async statusOf(slug: string): Promise<ChainStatus> {
    const [status] = await this.statusesOf([slug]);
    if (!status) throw new Error(`nothing about the chain "${slug}"`);
    return status;
  }

  /** In the order of the slugs, which must be configured. */
  async statusesOf(slugs: readonly string[], db: Queryable = this.sql): Promise<ChainStatus[]> {
    const rows = await db.query<Row>(READ, [slugs]);
    const now = this.clock.now();
    return slugs.map((slug) => {
      const row = rows.find(({ chain }) => chain === slug);
      const condition = row ? toCondition(row) : null;
      const halted = row?.halted_at
        ? { since: row.halted_at, reason: row.halt_reason ?? 'no reason given' }
        : null;
      const stallAfter = stallSeconds(this.chains.get(slug), this.config.chainStallBlocks);
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

  /** Logs once when a stall begins and once when it ends. */
  private async warnOfStall(slug: string): Promise<void> {
    const { state, condition } = await this.statusOf(slug);
    if (state === 'stalled' && !this.stalled.has(slug)) {
      this.stalled.add(slug);
      this.logger.error(
        { chain: slug, height: condition?.head?.height, since: condition?.roseAt },
        'chain stalled: no new block for too long; its methods are paused in checkout',
      );
    } else if (state === 'ok' && this.stalled.delete(slug)) {
      this.logger.log({ chain: slug, height: condition?.head?.height }, 'chain produces blocks again');
    }
  }
}

function toCondition(row: Row): ChainCondition | null {
  if (row.checked_at === null) return null;
  const { head_height: height, head_hash: hash, trouble, trouble_since: since } = row;
  return {
    head: height !== null && hash !== null ? { height: Number(height), hash } : null,
    roseAt: row.rose_at,
    checkedAt: row.checked_at,
    trouble: trouble !== null && since !== null ? { message: trouble, since } : null,
    reorgs: {
      count: Number(row.reorgs),
      deepest: row.deepest_reorg ?? 0,
      lastDepth: row.last_reorg_depth ?? 0,
      lastAt: row.last_reorg_at,
    },
    endpoints: row.endpoints ?? [],
  };
}
