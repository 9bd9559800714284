import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { firstIdOf } from '../platform/kernel/ids.pure.js';
import { WebhookLogRepository } from './webhook-log.repository.js';

/** The log is kept for 30 days (specification/webhooks.md#delivery-log). Events are kept permanently, in the feed, but for tests. */
const KEPT_MS = 30 * 24 * 3_600 * 1_000;

/** Deletes log entries past their retention period. */
@Injectable()
export class WebhookRetention {
  /** Deliveries of one statement. */
  static readonly BATCH = 500;

  constructor(
    private readonly log: WebhookLogRepository,
    private readonly clock: Clock,
  ) {}

  /** One batch. True if there may be more. */
  async runOnce(): Promise<boolean> {
    const oldest = firstIdOf(new Date(this.clock.now().getTime() - KEPT_MS));
    return this.log.deleteBefore(oldest, WebhookRetention.BATCH);
  }
}
