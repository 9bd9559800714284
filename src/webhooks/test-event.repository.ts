import { Injectable } from '@nestjs/common';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';

export interface NewTestEvent {
  id: string;
  applicationId: string;
  userId: string;
  eventId: string;
  paymentId: string;
  type: string;
  body: string;
  createdAt: Date;
}

/** A test event that this process may send until its lease ends. */
export interface ClaimedTestEvent {
  id: string;
  applicationId: string;
  eventId: string;
  type: string;
  body: string;
  leaseToken: string;
}

/** How the only attempt of a test event ended. */
export interface TestEventResult {
  state: 'succeeded' | 'exhausted';
  error: string | null;
  url: string;
  httpStatus: number | null;
  responseBody: string | null;
  connectMs: number | null;
  firstByteMs: number | null;
  durationMs: number;
  startedAt: Date;
}

const INSERT = namedStatement<NewTestEvent>(`
  insert into webhook_tests (id, application_id, user_id, event_id, payment_id, type, body, created_at)
  values (:id, :applicationId, :userId, :eventId, :paymentId, :type, :body, :createdAt)`);

/** The oldest of each application that has none in flight. $1 limit, $2 lease token, $3 lease seconds. */
const CLAIM = `
  with oldest as (
    select distinct on (t.application_id) t.id from webhook_tests t
    where t.state = 'pending' and not exists (
      select from webhook_tests busy where busy.application_id = t.application_id and busy.state = 'pending'
        and busy.lease_until >= clock_timestamp())
    order by t.application_id, t.created_at, t.id
  ), claimed as (
    select t.id from webhook_tests t join oldest on oldest.id = t.id
    where t.state = 'pending' and (t.lease_until is null or t.lease_until < clock_timestamp())
    limit $1 for no key update of t skip locked
  )
  update webhook_tests t set lease_token = $2, lease_until = clock_timestamp() + make_interval(secs => $3)
  from claimed where t.id = claimed.id
  returning t.id, t.application_id as "applicationId", t.event_id as "eventId", t.type, t.body,
    t.lease_token as "leaseToken"`;

/** Changes nothing if another process holds the lease by now. */
const FINISH = namedStatement<TestEventResult & { id: string; leaseToken: string }>(`
  update webhook_tests set state = :state, error = :error, url = :url, http_status = :httpStatus,
    response_body = :responseBody, connect_ms = :connectMs, first_byte_ms = :firstByteMs, duration_ms = :durationMs,
    started_at = :startedAt, lease_token = null, lease_until = null
  where id = :id and lease_token = :leaseToken`);

/** As {@link FINISH}, for a test event that was not sent. */
const CLOSE = `
  update webhook_tests set state = $3, error = $4, lease_token = null, lease_until = null
  where id = $1 and lease_token = $2`;

/** Test events (webhook_tests). The delivery log reads them beside real deliveries. */
@Injectable()
export class TestEventRepository {
  constructor(private readonly sql: Sql) {}

  async insert(event: NewTestEvent): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values(event));
  }

  claim(limit: number, leaseToken: string, leaseSeconds: number): Promise<ClaimedTestEvent[]> {
    return this.sql.query(CLAIM, [limit, leaseToken, leaseSeconds]);
  }

  async finish({ id, leaseToken }: ClaimedTestEvent, result: TestEventResult): Promise<void> {
    await this.sql.query(FINISH.text, FINISH.values({ ...result, id, leaseToken }));
  }

  async close(
    { id, leaseToken }: ClaimedTestEvent,
    state: 'skipped' | 'blocked',
    error: string,
  ): Promise<void> {
    await this.sql.query(CLOSE, [id, leaseToken, state, error]);
  }
}
