import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

/** One process adds at a time: two could wait for each other's counts, and one could delete a count that the other adds to. */
const LOCK = `select pg_try_advisory_xact_lock(hashtextextended('webhook-delivery-counts', 0)) as "isMine"`;
// Every change is in each snapshot exactly once: here as a change, there in the counts.
const ADD = `
  with gone as (
    delete from webhook_delivery_count_changes c using (
      select user_id, application_id, seq from webhook_delivery_count_changes
      order by user_id, application_id, seq limit $1) due
    where c.user_id = due.user_id and c.application_id = due.application_id and c.seq = due.seq
    returning c.*
  ), added as (
    insert into webhook_delivery_counts (user_id, application_id, hour, type, status, total)
    select user_id, application_id, hour, type, status, sum(change)
    from gone group by 1, 2, 3, 4, 5 having sum(change) <> 0
    on conflict (user_id, application_id, hour, type, status)
      do update set total = webhook_delivery_counts.total + excluded.total
    returning *
  )
  select (select count(*) from gone)::int as changes,
    coalesce((select json_agg(a) from added a where a.total = 0), '[]') as empty`;
// Statuses that deliveries have left, and hours whose deliveries were deleted.
const DELETE_EMPTY = `
  delete from webhook_delivery_counts c using json_populate_recordset(null::webhook_delivery_counts, $1::json) e
  where c.user_id = e.user_id and c.application_id = e.application_id and c.hour = e.hour and c.type = e.type
    and c.status = e.status and c.total = 0`;

/** Adds to the counts what triggers have noted. The delivery log reads both (delivery-pages.repository.ts). */
@Injectable()
export class DeliveryCountRepository {
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
