import { Injectable } from '@nestjs/common';
import { Sql } from '../database/sql.js';
import type { AuditedColumns } from './audited-table.js';
import type { RowDifference } from './row-difference.pure.js';
import type { WaitingColumn } from './waiting-columns.js';

/** The newest that the audit log says of each row: how it was left, or '' when it was deleted. */
const NEWEST = `
  select distinct on (split_part(r.text, '=', 1)) split_part(r.text, '=', 1) as object,
    split_part(r.text, '=', 2) as "left", l.seq
  from audit_log l cross join lateral json_array_elements_text(
    case json_typeof(l.details -> 'rows') when 'array' then l.details -> 'rows'
      else coalesce(l.details -> 'changedRows', '[]') end) r (text)
  where (l.details -> 'rows') is not null
  order by split_part(r.text, '=', 1), l.seq desc`;

/**
 * Seconds that a wait may look longer than it was written: processes that write them have clocks of their own, and what
 * another wrote while this transaction ran is later than its now().
 */
const CLOCK_SKEW_SECONDS = 60;

/** Fingerprints of rows as they are, and as the audit log says that they were left. */
@Injectable()
export class RowFingerprintRepository {
  constructor(private readonly sql: Sql) {}

  /** As entries of the audit log list them: `<table> <key>=<fingerprint>`, or nothing after the sign without a row. */
  async list(table: AuditedColumns, rows: readonly (readonly string[])[]): Promise<string[]> {
    const { keys, fingerprint, condition } = table;
    const names = keys.map((_, i) => `k.key${i}`);
    const found = await this.sql.query<{ text: string }>(
      `select '${table.table} ' || concat_ws('/', ${names.join(', ')}) || '=' ||
         coalesce(case when t.${keys[0]?.name} is not null then ${fingerprint} end, '') as text
       from unnest(${keys.map(({ type }, i) => `$${i + 1}::${type}[]`).join(', ')})
         as k (${keys.map((_, i) => `key${i}`).join(', ')})
       left join ${table.table} t
         on ${keys.map(({ name }, i) => `t.${name} = k.key${i}`).join(' and ')} and ${condition}`,
      keys.map((_, i) => rows.map((row) => row[i])),
    );
    return found.map(({ text }) => text);
  }

  /** Rows that are not as the newest entry about them says; rows without one are unknown. In the order of their names. */
  listDifferences(
    tables: readonly AuditedColumns[],
    limit: number,
  ): Promise<Omit<RowDifference, 'sleeps'>[]> {
    const present = tables.map(
      ({ table, keys, fingerprint, condition }) =>
        `select '${table} ' || concat_ws('/', ${keys.map(({ name }) => `t.${name}`).join(', ')}) as object,
           ${fingerprint} as fingerprint from ${table} t where ${condition}`,
    );
    const unentered = tables
      .filter(({ enteredBy }) => enteredBy !== null)
      .map(
        ({ table, keys, enteredBy }) =>
          `select '${table} ' || t.${keys[0]?.name} as object, null, false, true from ${table} t
           where not exists (select from newest n where n.object = '${table} ' || t.${keys[0]?.name})
             and (select l.seq from audit_log l
               where l.act = '${enteredBy}' and l.target_id = t.${keys[0]?.name}::text limit 1) is null`,
      );
    const purged = tables.filter(({ isPurged }) => isPurged).map(({ table }) => table);
    return this.sql.query(
      `with newest as materialized (${NEWEST}), present as (${present.join(' union all ')})
       select n.object, n.seq::text as seq, n."left" <> '' as "isExpected", p.fingerprint is not null as "isPresent"
       from newest n left join present p using (object)
       where coalesce(p.fingerprint, '') <> n."left"
         and (p.fingerprint is not null or split_part(n.object, ' ', 1) <> all ($1::text[]))
       ${unentered.map((text) => `union all ${text}`).join(' ')}
       order by object limit $2`,
      [purged, limit],
    );
  }

  /** Rows that wait for longer than the gateway lets any. @param now where its clock is ahead of the database's */
  listSleeping(columns: readonly WaitingColumn[], now: Date, limit: number): Promise<RowDifference[]> {
    const parts = columns.map(
      ({ table, key, column, condition }, i) =>
        `select '${table} ' || ${key} as object, null as seq, false as "isExpected", true as "isPresent",
           '${column} ' || t.${column} as sleeps
         from ${table} t
         where ${condition} and t.${column} > greatest($1::timestamptz, now()) + make_interval(secs => $${i + 3})`,
    );
    return this.sql.query<RowDifference>(`${parts.join(' union all ')} order by object limit $2`, [
      now,
      limit,
      ...columns.map(({ longestSeconds }) => longestSeconds + CLOCK_SKEW_SECONDS),
    ]);
  }
}
