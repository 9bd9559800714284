import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Sql } from '../../platform/database/sql.js';
import { TestEventEntity } from './test-event.entity.js';

export type NewTestEvent = Pick<
  TestEventEntity,
  'id' | 'applicationId' | 'userId' | 'eventId' | 'paymentId' | 'type' | 'body' | 'createdAt'
>;

/** A test event that this process may send until its lease ends. */
export interface ClaimedTestEvent extends Pick<
  TestEventEntity,
  'id' | 'applicationId' | 'eventId' | 'type' | 'body'
> {
  leaseToken: string;
}

/** How the only attempt of a test event ended. */
export type TestEventResult = Pick<
  TestEventEntity,
  | 'state'
  | 'error'
  | 'url'
  | 'httpStatus'
  | 'responseBody'
  | 'connectMs'
  | 'firstByteMs'
  | 'durationMs'
  | 'startedAt'
>;

/** Newest test events of an application that are kept, beside those that still wait. */
export const KEPT_TESTS = 1_000;
/** $1 application, $2 how many to keep. */
const DELETE_SURPLUS = `
  delete from webhook_tests where state <> 'pending' and id = any(array(
    select id from webhook_tests where application_id = $1 order by created_at desc, id desc offset $2))`;

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

/** Test events (webhook_tests). The delivery log reads them beside real deliveries. */
@Injectable()
export class TestEventRepository {
  constructor(
    @InjectRepository(TestEventEntity) private readonly rows: Repository<TestEventEntity>,
    private readonly sql: Sql,
  ) {}

  /** A person makes them one by one, so there is time to delete the oldest beyond {@link KEPT_TESTS}. */
  async insert(event: NewTestEvent): Promise<void> {
    await this.rows.insert(event);
    await this.sql.query(DELETE_SURPLUS, [event.applicationId, KEPT_TESTS]);
  }

  claim(limit: number, leaseToken: string, leaseSeconds: number): Promise<ClaimedTestEvent[]> {
    return this.sql.query(CLAIM, [limit, leaseToken, leaseSeconds]);
  }

  /** Changes nothing if another process holds the lease by now. */
  async finish({ id, leaseToken }: ClaimedTestEvent, result: TestEventResult): Promise<void> {
    await this.rows.update({ id, leaseToken }, { ...result, leaseToken: null, leaseUntil: null });
  }

  /** As {@link finish}, for a test event that was not sent. */
  close(claimed: ClaimedTestEvent, state: 'skipped' | 'blocked', error: string): Promise<void> {
    const nothing = { url: null, httpStatus: null, responseBody: null, startedAt: null };
    const noTiming = { connectMs: null, firstByteMs: null, durationMs: null };
    return this.finish(claimed, { state, error, ...nothing, ...noTiming });
  }
}
