import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

/** An endpoint of which no attempt has succeeded since. */
export interface FailingEndpoint {
  applicationId: string;
  userId: string;
  since: Date;
}

// One event that an endpoint refuses, while it takes others, is no outage. Tests are questions of the merchant.
const LIST = `
  select d.application_id as "applicationId", min(d.user_id) as "userId", min(d.first_attempt_at) as since
  from webhook_deliveries d
  where d.state in ('pending', 'blocked') and d.succeeded_at is null and d.test_payment_id is null
    and d.attempts > 1 and d.first_attempt_at <= $1
    and not exists (select from webhook_endpoints e
      where e.application_id = d.application_id and e.paused_by = 'merchant')
    and not exists (select from webhook_deliveries s
      where s.application_id = d.application_id and s.succeeded_at > d.first_attempt_at and s.test_payment_id is null)
  group by d.application_id`;
const RECOVERED = `
  select o.id as "applicationId" from unnest($1::uuid[], $2::timestamptz[]) o (id, since)
  where exists (select from webhook_deliveries d
    where d.application_id = o.id and d.succeeded_at > o.since and d.test_payment_id is null)`;

/** Reads which endpoints fail, and which have answered again. */
@Injectable()
export class FailingEndpointRepository {
  constructor(private readonly sql: Sql) {}

  /** Those that have failed since the time or longer. */
  list(since: Date): Promise<FailingEndpoint[]> {
    return this.sql.query(LIST, [since]);
  }

  /** Of some that failed, those of which an attempt has succeeded since. */
  async listRecovered(failing: readonly { applicationId: string; since: Date }[]): Promise<string[]> {
    if (failing.length === 0) return [];
    const rows = await this.sql.query<{ applicationId: string }>(RECOVERED, [
      failing.map(({ applicationId }) => applicationId),
      failing.map(({ since }) => since),
    ]);
    return rows.map(({ applicationId }) => applicationId);
  }
}
