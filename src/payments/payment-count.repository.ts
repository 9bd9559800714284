import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

/** One process adds at a time: two could wait for each other's counts, and one could delete a count that the other adds to. */
const LOCK = `select pg_try_advisory_xact_lock(hashtextextended('payment-counts', 0)) as "isMine"`;
// Every change is in each snapshot exactly once: here as a change, there in the counts.
const ADD = `
  with gone as (
    delete from payment_count_changes c using (
      select user_id, seq from payment_count_changes order by user_id, seq limit $1) due
    where c.user_id = due.user_id and c.seq = due.seq
    returning c.*
  ), added as (
    insert into payment_counts (user_id, span, starts_at, application_id, status, currency_code, total)
    select user_id, span, date_trunc(span, hour, 'UTC'), application_id, status, currency_code, sum(change)
    from gone cross join (values ('month'), ('day'), ('hour')) spans (span)
    group by 1, 2, 3, 4, 5, 6 having sum(change) <> 0
    on conflict (user_id, span, starts_at, application_id, status, currency_code)
      do update set total = payment_counts.total + excluded.total
    returning *
  )
  select (select count(*) from gone)::int as changes,
    coalesce((select json_agg(a) from added a where a.total = 0), '[]') as empty`;
// Statuses that payments have left.
const DELETE_EMPTY = `
  delete from payment_counts c using json_populate_recordset(null::payment_counts, $1::json) e
  where c.user_id = e.user_id and c.span = e.span and c.starts_at = e.starts_at and c.application_id = e.application_id
    and c.status = e.status and c.currency_code = e.currency_code and c.total = 0`;

/** Adds to the counts what triggers have noted. The list reads both (payment-pages.repository.ts). */
@Injectable()
export class PaymentCountRepository {
  constructor(private readonly sql: Sql) {}

  /** @returns how many changes were added; 0 also while another process adds */
  add(limit: number): Promise<number> {
    return this.sql.transaction(async (tx) => {
      const [lock] = await tx.query<{ isMine: boolean }>(LOCK);
      if (!lock?.isMine) return 0;
      const [added] = await tx.query<{ changes: number; empty: object[] }>(ADD, [limit]);
      if (!added) throw new Error('unexpected empty result');
      if (added.empty.length > 0) await tx.query(DELETE_EMPTY, [JSON.stringify(added.empty)]);
      return added.changes;
    });
  }
}
