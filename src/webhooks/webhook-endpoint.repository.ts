import { Injectable } from '@nestjs/common';
import { rowChanged } from '../platform/integrity/audited-table.js';
import { RowFingerprints } from '../platform/integrity/row-fingerprints.service.js';
import { Sql } from '../platform/database/sql.js';
import type { WebhookEndpointContract } from './webhook-endpoint.contract.js';
import { WEBHOOK_ENDPOINTS, type WebhookEndpointEntity } from './webhook-endpoint.entity.js';

/** State of an application's endpoint and its deliveries. */
export interface EndpointRecord extends Pick<
  WebhookEndpointContract,
  'callbackUrl' | 'pauseReason' | 'waiting' | 'consecutiveFailures' | 'lastError'
> {
  pausedAt: Date | null;
  pausedBy: WebhookEndpointEntity['pausedBy'] | null;
  lastFailureAt: Date | null;
  lastSuccessAt: Date | null;
}

/**
 * Failures are counted over the newest 1,000 pending and the newest 1,000 exhausted deliveries, and pending deliveries
 * up to 10,000, so that the cost is bounded whatever the backlog.
 */
const FIND = `
  with open as (
    (select d.id from webhook_deliveries d where d.application_id = $1 and d.state = 'pending' and d.attempts > 0 and d.payment_id is not null
     order by d.next_attempt_at desc limit 1000)
    union all
    (select d.id from webhook_deliveries d where d.application_id = $1 and d.state = 'exhausted' and d.payment_id is not null
     order by d.created_at desc, d.id desc limit 1000)
  ), success as (
    select max(succeeded_at) as at from webhook_deliveries where application_id = $1 and succeeded_at is not null and payment_id is not null
  ), failures as (
    select a.created_at, a.number, coalesce(a.error, 'HTTP ' || a.http_status) as error
    from open join webhook_attempts a on a.delivery_id = open.id cross join success
    where (success.at is null or a.created_at > success.at)
      and (a.http_status is null or a.http_status not between 200 and 299)
  )
  select s.callback_url as "callbackUrl", p.paused_at as "pausedAt", p.paused_by as "pausedBy",
    p.reason as "pauseReason", success.at as "lastSuccessAt",
    (select count(*)::int from (select from webhook_deliveries d
      where d.application_id = $1 and d.state = 'pending' and d.payment_id is not null limit 10000) waiting) as waiting,
    (select count(*)::int from failures) as "consecutiveFailures",
    last.created_at as "lastFailureAt", last.error as "lastError"
  from sites s
  cross join success
  left join webhook_endpoints p on p.application_id = s.application_id
  left join lateral (select created_at, error from failures order by created_at desc, number desc limit 1) last on true
  where s.application_id = $1`;
/** A pause after a 410 becomes the merchant's own, which saving the URL does not end. */
const PAUSE = `
  insert into webhook_endpoints (application_id, paused_at, paused_by, reason) values ($1, $2, 'merchant', $3)
  on conflict (application_id) do update set paused_by = 'merchant',
    reason = case when $4 then excluded.reason else webhook_endpoints.reason end`;
const RESUME = `delete from webhook_endpoints where application_id = $1 returning application_id`;

/**
 * Pauses an endpoint that returned 410, but only while that URL is still the saved one: a new URL must not inherit the
 * pause. $1 now, $2 application, $3 URL.
 */
const PAUSE_GONE = `
  insert into webhook_endpoints (application_id, paused_at, reason)
  select application_id, $1::timestamptz, 'the endpoint returned 410 Gone' from sites
  where application_id = $2 and callback_url = $3
  on conflict (application_id) do nothing
  returning application_id`;
const RESUME_GONE = `
  delete from webhook_endpoints where application_id = $1 and paused_by = 'gone' returning application_id`;

/** Pauses of endpoints (webhook_endpoints), one row per paused application. */
@Injectable()
export class WebhookEndpointRepository {
  constructor(
    private readonly sql: Sql,
    fingerprints: RowFingerprints,
  ) {
    fingerprints.register(WEBHOOK_ENDPOINTS);
  }

  /** The endpoint's state with that of its deliveries; null without such an application. */
  async findRecord(applicationId: string): Promise<EndpointRecord | null> {
    const [record] = await this.sql.query<EndpointRecord>(FIND, [applicationId]);
    return record ?? null;
  }

  /** @param reason null keeps the reason of an earlier pause */
  async pause(applicationId: string, reason: string | null, now: Date): Promise<void> {
    const text = reason ?? 'paused by the merchant';
    rowChanged(WEBHOOK_ENDPOINTS, applicationId);
    await this.sql.query(PAUSE, [applicationId, now, text, reason !== null]);
  }

  /** False: it was not paused. */
  async resume(applicationId: string): Promise<boolean> {
    return this.noted(applicationId, await this.sql.query(RESUME, [applicationId]));
  }

  /** False: it was paused already, or another URL has been saved since. */
  async pauseGone(applicationId: string, url: string, now: Date): Promise<boolean> {
    return this.noted(applicationId, await this.sql.query(PAUSE_GONE, [now, applicationId, url]));
  }

  /**
   * An endpoint that returned 410 stays paused until its URL is saved again (specification/webhooks.md#retries). The
   * merchant's own pause stays.
   */
  async resumeGone(applicationId: string): Promise<void> {
    this.noted(applicationId, await this.sql.query(RESUME_GONE, [applicationId]));
  }

  /** Whether a statement has written the application's row; then the audit log is to list it. */
  private noted(applicationId: string, rows: readonly object[]): boolean {
    if (rows.length > 0) rowChanged(WEBHOOK_ENDPOINTS, applicationId);
    return rows.length > 0;
  }
}
