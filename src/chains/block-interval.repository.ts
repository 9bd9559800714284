import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

// Every kept block has a row, so the first and the last are enough.
const FIND = `
  select c.height - old.height as blocks, extract(epoch from new.block_time - old.block_time)::bigint as seconds
  from chain_cursors c
  join chain_blocks new on new.chain = c.chain and new.height = c.height
  cross join lateral (
    select b.height, b.block_time from chain_blocks b
    where b.chain = c.chain and b.height >= c.height - $2 order by b.height limit 1
  ) old
  where c.chain = $1`;

/** Reads the timestamps of the blocks that the watcher applied. */
@Injectable()
export class BlockIntervalRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * Number and duration of the newest kept blocks; null before the first block.
   * @param limit the most blocks
   */
  async find(chain: string, limit: number): Promise<{ blocks: number; seconds: number } | null> {
    const [row] = await this.sql.query<{ blocks: string; seconds: string }>(FIND, [chain, limit]);
    return row ? { blocks: Number(row.blocks), seconds: Number(row.seconds) } : null;
  }
}
