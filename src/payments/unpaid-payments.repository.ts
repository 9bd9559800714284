import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';
import { RECENT_DAYS, type UnpaidPayments } from './unpaid-payments.pure.js';

// Each count ends at its limit, and reads the index payments_unpaid alone.
const COUNT = `
  select
    (select count(*) from (
      select from payments p
      where p.user_id = $1 and p.expires_at > $4 and p.status = 'OPEN' and p.found_at is null limit $2) as open
    )::int as open,
    (select count(*) from (
      select from payments p
      where p.user_id = $1 and p.expires_at > $4::timestamptz - interval '${RECENT_DAYS} days' and p.found_at is null
      limit $3) as recent
    )::int as recent`;

/** Counts a user's payments that have received nothing. */
@Injectable()
export class UnpaidPaymentsRepository {
  constructor(private readonly sql: Sql) {}

  /** @param limits counting stops there */
  async count(userId: string, limits: UnpaidPayments, now: Date): Promise<UnpaidPayments> {
    const [row] = await this.sql.query<UnpaidPayments>(COUNT, [userId, limits.open, limits.recent, now]);
    if (!row) throw new Error('unexpected empty result');
    return row;
  }
}
