import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import type { ApplicationEventType } from '../../applications/event-types.pure.js';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { requireTransaction } from '../../platform/database/unit-of-work.js';
import { ApplicationEventEntity } from './application-event.entity.js';

export type NewApplicationEvent = Pick<
  ApplicationEventEntity,
  'id' | 'applicationId' | 'type' | 'body' | 'createdAt'
>;

const CLAIMED = [
  'id',
  'applicationId',
  'type',
  'body',
  'attempts',
  'firstAttemptAt',
  'deferredSeconds',
  'leaseToken',
] as const;
/** An event that this process may send until its lease ends. */
export type ClaimedApplicationEvent = Pick<ApplicationEventEntity, (typeof CLAIMED)[number]>;

/** What an attempt has led to. */
export type ApplicationEventResult = Pick<ApplicationEventEntity, 'state' | 'nextAttemptAt' | 'lastError'> &
  Partial<Pick<ApplicationEventEntity, 'attempts' | 'firstAttemptAt' | 'deferredSeconds'>>;

const EVENT = columnsOf(ApplicationEventEntity, 'e', CLAIMED);
const LIST_LISTENING = `
  select s.application_id as id from sites s join payment_applications a on a.id = s.application_id
  where s.application_id = any ($1::uuid[]) and $2 = any (s.events) and s.callback_url is not null
    and a.deleted_at is null`;
/**
 * The oldest that is due of each application that has none in flight and is not paused. $1 limit, $2 lease token, $3
 * lease seconds, $4 now.
 */
const CLAIM = `
  with due as (
    select distinct on (e.application_id) e.id from application_events e
    where e.state = 'pending' and e.next_attempt_at <= $4
      and not exists (select from webhook_endpoints p where p.application_id = e.application_id)
      and not exists (
        select from application_events busy where busy.application_id = e.application_id
          and busy.lease_until >= clock_timestamp())
    order by e.application_id, e.created_at, e.id
  ), claimed as (
    select e.id from application_events e join due on due.id = e.id
    where e.state = 'pending' and (e.lease_until is null or e.lease_until < clock_timestamp())
    limit $1 for no key update of e skip locked
  )
  update application_events e set lease_token = $2, lease_until = clock_timestamp() + make_interval(secs => $3)
  from claimed where e.id = claimed.id
  returning ${EVENT.list}`;

/** Events that are about applications, and their deliveries (application_events). */
@Injectable()
export class ApplicationEventRepository {
  constructor(
    @InjectRepository(ApplicationEventEntity) private readonly events: Repository<ApplicationEventEntity>,
    private readonly sql: Sql,
  ) {}

  /** Those of the applications that list the event and have a callback URL; deleted ones do not listen. */
  async listListening(applicationIds: readonly string[], type: ApplicationEventType): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(LIST_LISTENING, [applicationIds, type]);
    return rows.map(({ id }) => id);
  }

  /** Due at once; part of the transaction of what it reports. */
  async insert(event: NewApplicationEvent): Promise<void> {
    requireTransaction('application_events');
    await this.events.insert({ ...event, state: 'pending', nextAttemptAt: event.createdAt });
  }

  async claim(
    limit: number,
    leaseToken: string,
    leaseSeconds: number,
    now: Date,
  ): Promise<ClaimedApplicationEvent[]> {
    const rows = await this.sql.query<object>(CLAIM, [limit, leaseToken, leaseSeconds, now]);
    return rows.map((row) => EVENT.toEntity(row));
  }

  /** False: another process holds the lease by now, and nothing is changed. */
  async record(
    { id, leaseToken }: Pick<ClaimedApplicationEvent, 'id' | 'leaseToken'>,
    result: ApplicationEventResult,
  ): Promise<boolean> {
    if (leaseToken === null) throw new Error(`application event ${id} is not claimed`);
    const changed = { ...result, leaseToken: null, leaseUntil: null };
    return (await this.events.update({ id, leaseToken }, changed)).affected === 1;
  }
}
