import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/runtime/clock.pure.js';
import { firstIdOf } from '../platform/runtime/ids.pure.js';
import { Sql } from '../platform/database/sql.js';

/** The log is kept for 30 days (specification/webhooks.md#delivery-log). Events are kept permanently, in the feed. */
const KEPT_MS = 30 * 24 * 3_600 * 1_000;
const BATCH = 500;

/**
 * Ids tell the time, so the oldest are found by the primary key. What still waits stays, and so does what a merchant
 * was never told of a payment that waits for exactly that: somebody may send it again. $1 least id to keep, $2 limit.
 */
const FORGET_DELIVERIES = `
  with old as (
    select d.id from webhook_deliveries d join payments p on p.id = d.payment_id
    where d.id < $1 and d.state in ('succeeded', 'exhausted', 'superseded', 'skipped')
      and not (d.state = 'exhausted' and p.status = 'RECEIVED' and p.acknowledged_at is null)
    order by d.id limit $2 for update of d skip locked
  ), forgotten as (
    delete from webhook_attempts a using old where a.delivery_id = old.id
  )
  delete from webhook_deliveries d using old where d.id = old.id returning d.id`;
const FORGET_TESTS = `
  delete from webhook_tests where id = any (array(
    select id from webhook_tests where id < $1 and state <> 'pending' order by id limit $2 for update skip locked
  )) returning id`;

/** Deletes what the log does not keep any longer. */
@Injectable()
export class WebhookRetention {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** One batch of each; true when there may be more. */
  async runOnce(): Promise<boolean> {
    const oldest = firstIdOf(new Date(this.clock.now().getTime() - KEPT_MS));
    const counts = [];
    for (const statement of [FORGET_DELIVERIES, FORGET_TESTS])
      counts.push((await this.sql.query(statement, [oldest, BATCH])).length);
    return counts.includes(BATCH);
  }
}
