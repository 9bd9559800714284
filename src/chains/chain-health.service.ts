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

/** Milliseconds; an unchanged condition is written again after this, so that others see that somebody looks. */
const REPEAT_AFTER = 5_000;

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

/** A chain's condition with what follows from it. */
export interface JudgedChain {
  condition: ChainCondition | null;
  halted: { since: Date; reason: string } | null;
  state: ChainState;
  /** Null where a standing head is not judged. */
  stallSeconds: number | null;
}

/**
 * How every chain is doing, in the database: the watcher writes it, and a process that watches nothing is as
 * right about it as one that does.
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

  /** The watcher's turn went well, and this was the node's newest block. */
  async sawHead(slug: string, head: BlockRef): Promise<void> {
    const endpoints = JSON.stringify(this.chains.endpoints(slug));
    if (!this.isNews(slug, `${head.height} ${head.hash} ${endpoints}`)) return;
    await this.sql.query(SAW_HEAD, [slug, head.height, head.hash, this.clock.now(), endpoints]);
    await this.warnOfStall(slug);
  }

  /** The watcher's turn failed. @param head null: already before the node told its newest block */
  async sawTrouble(slug: string, message: string, head: BlockRef | null): Promise<void> {
    const endpoints = JSON.stringify(this.chains.endpoints(slug));
    const values = [slug, this.clock.now(), message, head?.height ?? null, head?.hash ?? null, endpoints];
    if (this.isNews(slug, `${message} ${head?.hash} ${endpoints}`)) await this.sql.query(SAW_TROUBLE, values);
  }

  /** Counted in the transaction that takes the blocks back. @param depth blocks that were taken back */
  async sawReorg(tx: Queryable, slug: string, depth: number): Promise<void> {
    await tx.query(SAW_REORG, [slug, this.clock.now(), depth]);
  }

  /** False where nobody should be asked to pay what we would not see. */
  async isReachable(slug: string): Promise<boolean> {
    return isPayable((await this.judge(slug)).state);
  }

  async judge(slug: string): Promise<JudgedChain> {
    const [judged] = await this.judgeAll([slug]);
    if (!judged) throw new Error(`nothing about the chain "${slug}"`);
    return judged;
  }

  /** In the order of the slugs, which must be configured. */
  async judgeAll(slugs: readonly string[], db: Queryable = this.sql): Promise<JudgedChain[]> {
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

  /** A block comes every few seconds, a turn every second: what was just written is not written again. */
  private isNews(slug: string, what: string): boolean {
    const last = this.written.get(slug);
    const at = this.clock.now().getTime();
    if (last?.what === what && Math.abs(at - last.at) < REPEAT_AFTER) return false;
    this.written.set(slug, { what, at });
    return true;
  }

  /** Once when it begins and once when it is over; in between the state tells. */
  private async warnOfStall(slug: string): Promise<void> {
    const { state, condition } = await this.judge(slug);
    if (state === 'stalled' && !this.stalled.has(slug)) {
      this.stalled.add(slug);
      this.logger.error(
        { chain: slug, height: condition?.head?.height, since: condition?.roseAt },
        'chain stalled: no new block for too long; its methods are paused in checkout',
      );
    } else if (state === 'ok' && this.stalled.delete(slug)) {
      this.logger.log({ chain: slug, height: condition?.head?.height }, 'chain moves again');
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
