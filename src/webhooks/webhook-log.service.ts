import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { ConflictError, NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import type { PageQuery } from '../platform/web/http/pagination.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { Sql } from '../platform/database/sql.js';
import type {
  ListDeliveriesQuery,
  ReplayWebhooksContract,
  WebhookReplayContract,
} from './webhook-delivery.contract.js';
import {
  type AttemptRecord,
  type DeliveryRecord,
  type Replay,
  WebhookLogRepository,
} from './webhook-log.repository.js';

/** The most deliveries that one replay makes due; the client requests the next batch. */
export const REPLAY_BATCH = 1_000;

/** The delivery log, redelivery and replay (specification/webhooks.md#delivery-log). */
@Injectable()
export class WebhookLogService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly loops: PollingLoops,
    private readonly audit: AuditLog,
    private readonly log: WebhookLogRepository,
  ) {}

  /** Newest first; real events, or test events. @throws NotFoundError for a foreign application */
  async list(
    userId: string,
    applicationId: string,
    query: ListDeliveriesQuery,
  ): Promise<{ items: DeliveryRecord[]; total: number }> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const filter = {
      userId,
      applicationId: id,
      paymentId: query.paymentId ?? null,
      event: query.event ?? null,
      status: query.status ?? null,
    };
    return this.log.list(query.test, filter, query);
  }

  /** A delivery or a test event. @throws NotFoundError */
  async get(userId: string, applicationId: string, deliveryId: string): Promise<DeliveryRecord> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const record = UUID.test(deliveryId) ? await this.log.find(userId, id, deliveryId) : null;
    if (!record) throw new NotFoundError('not_found', 'Webhook delivery not found');
    return record;
  }

  /** Newest first. @throws NotFoundError */
  async listAttempts(
    userId: string,
    applicationId: string,
    deliveryId: string,
    page: PageQuery,
  ): Promise<{ items: AttemptRecord[]; total: number }> {
    const { id } = await this.get(userId, applicationId, deliveryId);
    return this.log.listAttempts(userId, id, page);
  }

  /**
   * Makes a delivery due at once, even one that has succeeded. An exhausted one gets one more attempt.
   * @throws ConflictError for a superseded delivery and for a test event
   */
  async redeliver(userId: string, applicationId: string, deliveryId: string): Promise<DeliveryRecord> {
    const { id, isTest } = await this.get(userId, applicationId, deliveryId);
    if (isTest) throw new ConflictError('invalid_state_transition', 'Send a new test event instead');
    await this.sql.transaction(async (tx) => {
      if (!(await this.log.makeDue(tx, { userId, applicationId, id, now: this.clock.now() })))
        throw new ConflictError(
          'invalid_state_transition',
          'The delivery is superseded: the payment has changed since its event',
        );
      const target = { kind: 'delivery', id };
      await this.audit.record({
        act: 'delivery.redelivered',
        userId,
        target,
        details: { applicationId },
      });
    });
    this.loops.wake(LoopName.WebhookDelivery);
    return this.get(userId, applicationId, id);
  }

  /**
   * Makes failed and exhausted deliveries due at once, oldest first and at most {@link REPLAY_BATCH}. The events of each
   * payment stay in order: a later one waits until the earlier one has ended.
   * @throws ValidationError
   */
  async replay(
    userId: string,
    applicationId: string,
    draft: Draft<ReplayWebhooksContract>,
  ): Promise<WebhookReplayContract> {
    return this.replayOf(await this.applications.getOwned(userId, applicationId), draft);
  }

  /** {@link replay} for the operator, whoever owns the application. @throws ValidationError */
  async replayOfAnyone(
    applicationId: string,
    draft: Draft<ReplayWebhooksContract>,
  ): Promise<WebhookReplayContract> {
    const application = UUID.test(applicationId) ? await this.applications.findById(applicationId) : null;
    if (!application)
      throw new NotFoundError('payment_application_not_found', 'Payment application not found');
    return this.replayOf(application, draft);
  }

  private async replayOf(
    { id, userId }: { id: string; userId: string },
    draft: Draft<ReplayWebhooksContract>,
  ): Promise<WebhookReplayContract> {
    const { given, problems } = draft;
    if (given.since && given.until && given.until < given.since)
      problems.add('until', 'The until field must be a date after or equal to since.');
    if (given.after !== undefined && !(await this.log.find(userId, id, given.after)))
      problems.add(
        'after',
        'The selected after is invalid. It must be the lastDeliveryId of an earlier response for this application.',
      );
    const { since, until = null, status, after = null } = draft.finish();
    const due = await this.makeDue({
      userId,
      applicationId: id,
      since,
      until,
      status: status ?? null,
      after,
    });
    if (due.length > 0) this.loops.wake(LoopName.WebhookDelivery);
    return {
      count: due.length,
      lastDeliveryId: due.at(-1) ?? null,
      hasMore: due.length === REPLAY_BATCH,
    };
  }

  /**
   * The same for every application, for the operator. Returns the number of deliveries of each. Deliveries that fail
   * again meanwhile are not picked twice.
   */
  async *replayAll(since: Date): AsyncGenerator<{ applicationId: string; count: number }> {
    for (const application of await this.log.listFailed(since)) {
      let count = 0;
      let after: string | null = null;
      do {
        const due: string[] = await this.makeDue({ ...application, since, until: null, status: null, after });
        count += due.length;
        after = due.length === REPLAY_BATCH ? (due.at(-1) ?? null) : null;
      } while (after !== null);
      yield { applicationId: application.applicationId, count };
    }
  }

  /** One batch, with its entry in the audit log. */
  private makeDue(replay: Omit<Replay, 'now' | 'limit'>): Promise<string[]> {
    return this.sql.transaction(async (tx) => {
      const made = await this.log.makeFailedDue(tx, {
        ...replay,
        now: this.clock.now(),
        limit: REPLAY_BATCH,
      });
      const target = { kind: 'application', id: replay.applicationId };
      const details = { count: made.length };
      const { userId } = replay;
      if (made.length > 0) await this.audit.record({ act: 'deliveries.replayed', userId, target, details });
      return made;
    });
  }
}
