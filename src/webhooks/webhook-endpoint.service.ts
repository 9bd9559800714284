import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { EndpointRecord } from './webhook-endpoint.dto.js';

/**
 * Failures are counted over the newest 1,000 waiting and the newest 1,000 given-up deliveries, and what waits up to
 * 10,000: so that asking costs the same whatever has piled up.
 */
const FIND = `
  with open as (
    (select d.id from webhook_deliveries d where d.application_id = $1 and d.state = 'pending' and d.attempts > 0
     order by d.next_attempt_at desc limit 1000)
    union all
    (select d.id from webhook_deliveries d where d.application_id = $1 and d.state = 'exhausted'
     order by d.created_at desc, d.id desc limit 1000)
  ), success as (
    select max(succeeded_at) as at from webhook_deliveries where application_id = $1 and succeeded_at is not null
  ), failures as (
    select a.created_at, a.number, coalesce(a.error, 'HTTP ' || a.http_status) as error
    from open join webhook_attempts a on a.delivery_id = open.id cross join success
    where (success.at is null or a.created_at > success.at)
      and (a.http_status is null or a.http_status not between 200 and 299)
  )
  select s.callback_url as "callbackUrl", p.paused_at as "pausedAt", p.paused_by as "pausedBy",
    p.reason as "pauseReason", success.at as "lastSuccessAt",
    (select count(*)::int from (select from webhook_deliveries d
      where d.application_id = $1 and d.state = 'pending' limit 10000) waiting) as waiting,
    (select count(*)::int from failures) as "consecutiveFailures",
    last.created_at as "lastFailureAt", last.error as "lastError"
  from sites s
  cross join success
  left join webhook_endpoints p on p.application_id = s.application_id
  left join lateral (select created_at, error from failures order by created_at desc, number desc limit 1) last on true
  where s.application_id = $1`;
// A pause after a 410 becomes the merchant's own, which saving the URL does not end.
const PAUSE = `
  insert into webhook_endpoints (application_id, paused_at, paused_by, reason) values ($1, $2, 'merchant', $3)
  on conflict (application_id) do update set paused_by = 'merchant',
    reason = case when $4 then excluded.reason else webhook_endpoints.reason end`;
const RESUME = `delete from webhook_endpoints where application_id = $1 returning application_id`;

/** The one endpoint of an application: whether webhooks go there, and how it does. */
@Injectable()
export class WebhookEndpointService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly loops: PollingLoops,
    private readonly audit: AuditLog,
  ) {}

  /** @throws NotFoundError */
  async get(userId: string, applicationId: string): Promise<EndpointRecord> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const [record] = await this.sql.query<EndpointRecord>(FIND, [id]);
    if (!record) throw new Error(`application ${id} has no site`);
    return record;
  }

  /** What is under way ends; nothing new is sent, and nothing gets lost. Again: only a new reason. */
  async pause(userId: string, applicationId: string, reason: string | null): Promise<EndpointRecord> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const text = reason ?? 'paused by the merchant';
    await this.sql.transaction(async (tx) => {
      await tx.query(PAUSE, [id, this.clock.now(), text, reason !== null]);
      const target = { kind: 'application', id };
      await this.audit.record(tx, {
        act: 'endpoint.paused',
        userId,
        target,
        details: { reason: 'merchant' },
      });
    });
    return this.get(userId, applicationId);
  }

  /** Everything that waits is sent now, in order for each payment. Again: no change. */
  async resume(userId: string, applicationId: string): Promise<EndpointRecord> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    await this.sql.transaction(async (tx) => {
      const resumed = await tx.query(RESUME, [id]);
      if (resumed.length === 0) return;
      await this.audit.record(tx, { act: 'endpoint.resumed', userId, target: { kind: 'application', id } });
    });
    this.loops.wake(LoopName.WebhookDelivery);
    return this.get(userId, applicationId);
  }
}
