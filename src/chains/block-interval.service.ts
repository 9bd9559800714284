import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

// Every kept block has a row, so the first and the last are enough.
const INTERVAL = `
  select c.height - old.height as blocks, extract(epoch from new.block_time - old.block_time)::bigint as seconds
  from chain_cursors c
  join chain_blocks new on new.chain = c.chain and new.height = c.height
  cross join lateral (
    select b.height, b.block_time from chain_blocks b
    where b.chain = c.chain and b.height >= c.height - $2 order by b.height limit 1
  ) old
  where c.chain = $1`;

/** Blocks. A day of Ethereum would hide a change, ten blocks of Bitcoin would be mostly noise. */
const LOOK_BACK = 100;

/** Measures the time between blocks from those that the watcher applied, so every process gets the same result. */
@Injectable()
export class BlockIntervalService {
  constructor(private readonly sql: Sql) {}

  /** Over the last blocks of a chain, by their timestamps; null before the first block. */
  async find(slug: string): Promise<{ blocks: number; seconds: number } | null> {
    const [row] = await this.sql.query<{ blocks: string; seconds: string }>(INTERVAL, [slug, LOOK_BACK]);
    return row ? { blocks: Number(row.blocks), seconds: Number(row.seconds) } : null;
  }
}
