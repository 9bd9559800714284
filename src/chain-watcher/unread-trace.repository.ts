import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { Between, MoreThan, type Repository } from 'typeorm';
import { columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { UnreadTraceEntity } from './unread-trace.entity.js';

const UNREAD = columnsOf(UnreadTraceEntity, 'u');
// Those that have waited longest come first. $1 now, $2 chains, $3 limit; the pause doubles from ten seconds to an hour.
const CLAIM = `
  with due as (
    select chain, height from unread_traces where next_attempt_at <= $1 and chain = any($2)
    order by next_attempt_at limit $3 for no key update skip locked
  )
  update unread_traces u set attempts = u.attempts + 1,
    next_attempt_at = $1::timestamptz + least(interval '1 hour', interval '10 seconds' * 2 ^ least(u.attempts, 9))
  from due where u.chain = due.chain and u.height = due.height returning ${UNREAD.list}`;

/** Applied blocks whose traces are not all read. Its methods join the current transaction. */
@Injectable()
export class UnreadTraceRepository {
  constructor(
    @InjectRepository(UnreadTraceEntity)
    private readonly rows: Repository<UnreadTraceEntity>,
    private readonly sql: Sql,
  ) {}

  /** Those of some heights, both ends included. */
  listBetween(chain: string, from: number, to: number): Promise<UnreadTraceEntity[]> {
    return this.rows.findBy({ chain, height: Between(from, to) });
  }

  /** Keeps the time and the next attempt of a block that is known already. */
  async save(
    { chain, height, ...found }: Omit<UnreadTraceEntity, 'foundAt' | 'attempts' | 'nextAttemptAt'>,
    nextAttemptAt: Date,
  ): Promise<void> {
    const { affected } = await this.rows.update({ chain, height }, found);
    if (affected === 0) await this.rows.insert({ chain, height, ...found, nextAttemptAt });
  }

  async delete(chain: string, height: number): Promise<void> {
    await this.rows.delete({ chain, height });
  }

  async deleteAbove(chain: string, height: number): Promise<void> {
    await this.rows.delete({ chain, height: MoreThan(height) });
  }

  /** Takes those that are due to be read again: no other process does before their next attempt. */
  async claimDue(now: Date, chains: readonly string[], limit: number): Promise<UnreadTraceEntity[]> {
    return (await this.sql.query<object>(CLAIM, [now, chains, limit])).map(UNREAD.toEntity);
  }
}
