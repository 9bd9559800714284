import { Injectable } from '@nestjs/common';
import { Sql } from '../platform/database/sql.js';

/** An endpoint of which no attempt has succeeded since. */
export interface FailingEndpoint {
  applicationId: string;
  userId: string;
  since: Date;
}

const UNDELIVERED = `state in ('pending', 'blocked') and succeeded_at is null and test_payment_id is null`;
// One event that an endpoint refuses, while it takes others, is no outage. Tests are questions of the merchant. Of each
// application that waits, one probe of webhook_deliveries_undelivered and one of webhook_deliveries_succeeded; ids of
// deliveries ascend in the order of their events.
const LIST = `
  with recursive waiting as (
    (select application_id from webhook_deliveries where ${UNDELIVERED} order by application_id limit 1)
    union all
    select next.application_id from waiting cross join lateral (
      select application_id from webhook_deliveries
      where ${UNDELIVERED} and application_id > waiting.application_id order by application_id limit 1) next
  )
  select waiting.application_id as "applicationId", failing.user_id as "userId", failing.first_attempt_at as since
  from waiting
  left join lateral (select succeeded_at from webhook_deliveries
    where application_id = waiting.application_id and succeeded_at is not null and test_payment_id is null
    order by succeeded_at desc limit 1) newest on true
  cross join lateral (select user_id, first_attempt_at from webhook_deliveries
    where ${UNDELIVERED} and application_id = waiting.application_id and attempts > 1 and first_attempt_at <= $1
      and (newest.succeeded_at is null or first_attempt_at >= newest.succeeded_at)
    order by id limit 1) failing
  where not exists (select from webhook_endpoints
    where application_id = waiting.application_id and paused_by = 'merchant')`;
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
