import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Sql } from '../../platform/database/sql.js';
import { ReconciliationScheduleEntity } from './reconciliation-schedule.entity.js';

/** What the row says when there is none yet. */
const NOTHING = { fullRequestedAt: null, startedAt: null, compared: 0 };
/** A lease that lies further ahead than any holder writes holds nothing. $1 token, $2 seconds. */
const CLAIM = `
  insert into reconciliation_schedule as s (only_one, lease_token, lease_until)
  values (true, $1, clock_timestamp() + make_interval(secs => $2))
  on conflict (only_one) do update set lease_token = excluded.lease_token, lease_until = excluded.lease_until
    where s.lease_until is null
      or s.lease_until not between clock_timestamp() and clock_timestamp() + make_interval(secs => $2) * 2
  returning full_requested_at as "fullRequestedAt"`;
/** A request that came meanwhile stays. $1 token, $2 the request that was carried out, $3 start, $4 payments. */
const RELEASE = `
  update reconciliation_schedule set lease_token = null, lease_until = null,
    full_requested_at = nullif(full_requested_at, $2::timestamptz), started_at = $3,
    compared = case when $3::timestamptz is null then 0 else $4::bigint + case when started_at = $3 then compared else 0 end end
  where lease_token = $1`;

/** The one row of the scheduled verification. */
@Injectable()
export class ReconciliationScheduleRepository {
  constructor(
    @InjectRepository(ReconciliationScheduleEntity)
    private readonly rows: Repository<ReconciliationScheduleEntity>,
    private readonly sql: Sql,
  ) {}

  async get(): Promise<Pick<ReconciliationScheduleEntity, 'fullRequestedAt' | 'startedAt' | 'compared'>> {
    return (await this.rows.findOneBy({ onlyOne: true })) ?? NOTHING;
  }

  /** Null while another process has it. */
  async claim(token: string, seconds: number): Promise<{ fullRequestedAt: Date | null } | null> {
    const [row] = await this.sql.query<{ fullRequestedAt: Date | null }>(CLAIM, [token, seconds]);
    return row ?? null;
  }

  /**
   * @param carriedOut the request for a full run that has begun
   * @param run what is still in progress, and how many payments this part has compared; null: nothing
   */
  async release(
    token: string,
    carriedOut: Date | null,
    run: { startedAt: Date; compared: number } | null,
  ): Promise<void> {
    await this.sql.query(RELEASE, [token, carriedOut, run?.startedAt ?? null, run?.compared ?? 0]);
  }

  async requestFull(now: Date): Promise<void> {
    await this.rows.upsert({ onlyOne: true, fullRequestedAt: now }, ['onlyOne']);
  }
}
