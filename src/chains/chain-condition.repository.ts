import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import type { BlockRef } from './chain-adapter.pure.js';
import { ChainConditionEntity } from './chain-condition.entity.js';
import type { EndpointReport } from './evm/evm-endpoint.js';
import type { Backlog } from './node-progress.pure.js';

const SAW_HEAD = `
  insert into chain_conditions as c (chain, head_height, head_hash, highest_height, rose_at, checked_at, endpoints,
    backlog_blocks, backlog_declared, backlog_most, backlog_since)
  values ($1, $2, $3, $2, $4::timestamptz, $4, $5, $6::bigint, $7::boolean, $6, case when $6 is not null then $4 end)
  on conflict (chain) do update set head_height = $2, head_hash = $3, checked_at = $4, trouble = null, trouble_since = null,
    endpoints = $5, backlog_blocks = $6, backlog_declared = $7,
    backlog_most = case when $6 is not null then greatest(c.backlog_most, $6) end,
    backlog_since = case when $6 is not null then coalesce(c.backlog_since, $4) end,
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
const CONDITION = columnsOf(ChainConditionEntity, 'o');
// With the halt, which the cursor holds: one statement, so that the two belong together.
const READ = `
  select ${CONDITION.list}, n.chain as slug, c.halted_at, c.halt_reason
  from unnest($1::text[]) n (chain)
  left join chain_conditions o on o.chain = n.chain left join chain_cursors c on c.chain = n.chain`;

interface Row {
  slug: string;
  /** Null without a condition. */
  chain: string | null;
  halted_at: Date | null;
  halt_reason: string | null;
}

/** Recorded conditions of chains. Times are those of the watcher. */
@Injectable()
export class ChainConditionRepository {
  constructor(private readonly sql: Sql) {}

  async recordHead(
    chain: string,
    { height, hash }: BlockRef,
    backlog: Backlog | null,
    endpoints: readonly EndpointReport[],
    now: Date,
  ): Promise<void> {
    const { blocks = null, isDeclared = null } = backlog ?? {};
    const values = [chain, height, hash, now, JSON.stringify(endpoints), blocks, isDeclared];
    await this.sql.query(SAW_HEAD, values);
  }

  /** @param head null when the node failed before it returned its newest block */
  async recordTrouble(
    chain: string,
    message: string,
    head: BlockRef | null,
    endpoints: readonly EndpointReport[],
    now: Date,
  ): Promise<void> {
    const { height = null, hash = null } = head ?? {};
    await this.sql.query(SAW_TROUBLE, [chain, now, message, height, hash, JSON.stringify(endpoints)]);
  }

  /** @param depth number of reverted blocks */
  async recordReorg(tx: Queryable, chain: string, depth: number, now: Date): Promise<void> {
    await tx.query(SAW_REORG, [chain, now, depth]);
  }

  /** Condition and halt of each chain, by slug. */
  async find(
    slugs: readonly string[],
  ): Promise<
    Map<string, { condition: ChainConditionEntity | null; halted: { since: Date; reason: string } | null }>
  > {
    const rows = await this.sql.query<Row>(READ, [slugs]);
    return new Map(
      rows.map((row) => [
        row.slug,
        {
          condition: row.chain === null ? null : CONDITION.toEntity(row),
          halted: row.halted_at && { since: row.halted_at, reason: row.halt_reason ?? 'no reason given' },
        },
      ]),
    );
  }
}
