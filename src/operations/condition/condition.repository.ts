import { Injectable } from '@nestjs/common';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import type { MeasuredSize } from './database-growth.pure.js';

const DATABASE = `
  select pg_database_size(current_database())::text as bytes,
    (select count(*)::int from pg_stat_activity where datname = current_database()) as connections,
    current_setting('max_connections')::int as "maxConnections"`;
const SIZES = `
  select to_char(day, 'YYYY-MM-DD') as day, bytes::text as bytes, measured_at as "measuredAt"
  from database_sizes order by day desc limit $1`;
const MEASURE = `
  insert into database_sizes (day, bytes, measured_at)
  values (($1::timestamptz at time zone 'UTC')::date, pg_database_size(current_database()), $1)
  on conflict (day) do update set bytes = excluded.bytes, measured_at = excluded.measured_at
    where database_sizes.measured_at < excluded.measured_at`;
const FORGET = `delete from database_sizes where day < ($1::timestamptz at time zone 'UTC')::date`;
const DRILL = `select finished_at as "finishedAt", held from restore_drills`;
const RECORD_DRILL = `
  insert into restore_drills (only_one, finished_at, held) values (true, clock_timestamp(), $1)
  on conflict (only_one) do update set finished_at = excluded.finished_at, held = excluded.held`;

/** Days: enough for the week before, and for a look at the last weeks. */
const LISTED = 60;

/** What the server says of the gateway's database. */
export interface DatabaseFacts {
  bytes: number;
  /** Of all programs. */
  connections: number;
  maxConnections: number;
}

/** The size of the database by days, and the last restore drill (database_sizes, restore_drills). */
@Injectable()
export class ConditionRepository {
  constructor(private readonly sql: Sql) {}

  async database(): Promise<DatabaseFacts> {
    const [row] = await this.sql.query<DatabaseFacts & { bytes: string }>(DATABASE);
    if (!row) throw new Error('a select without a table returned no row');
    return { ...row, bytes: Number(row.bytes) };
  }

  /** The newest first. */
  async sizes(): Promise<MeasuredSize[]> {
    const rows = await this.sql.query<{ day: string; bytes: string; measuredAt: Date }>(SIZES, [LISTED]);
    return rows.map(({ day, bytes, measuredAt }) => ({ day, bytes: Number(bytes), measuredAt }));
  }

  /** @param forgetBefore whose day and all later ones stay */
  async measure(now: Date, forgetBefore: Date): Promise<void> {
    await this.sql.query(MEASURE, [now]);
    await this.sql.query(FORGET, [forgetBefore]);
  }

  /** Null: none was recorded. */
  async findDrill(): Promise<{ finishedAt: Date; held: boolean } | null> {
    const [row] = await this.sql.query<{ finishedAt: Date; held: boolean }>(DRILL);
    return row ?? null;
  }

  /** For the command line, which has no container. */
  static async recordDrill(sql: Queryable, held: boolean): Promise<void> {
    await sql.query(RECORD_DRILL, [held]);
  }
}
