import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

// Every block down to the kept history has a row, so two of them are enough.
const PACE = `
  select c.height - old.height as blocks, extract(epoch from new.block_time - old.block_time)::bigint as seconds
  from chain_cursors c
  join chain_blocks new on new.chain = c.chain and new.height = c.height
  cross join lateral (
    select b.height, b.block_time from chain_blocks b
    where b.chain = c.chain and b.height >= c.height - $2 order by b.height limit 1
  ) old
  where c.chain = $1`;

/** A day of Ethereum would be too long to see a change, ten blocks of Bitcoin too few to mean anything. */
const LOOK_BACK = 100;

/** How fast blocks come, from what the watcher applied: every process reads the same. */
@Injectable()
export class BlockIntervalService {
  constructor(private readonly sql: Sql) {}

  /** Over the last blocks of a chain, by the times that their makers wrote; null before the first one. */
  async find(slug: string): Promise<{ blocks: number; seconds: number } | null> {
    const [row] = await this.sql.query<{ blocks: string; seconds: string }>(PACE, [slug, LOOK_BACK]);
    return row ? { blocks: Number(row.blocks), seconds: Number(row.seconds) } : null;
  }
}
