import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { ConflictError, NotFoundError } from '../platform/errors/errors.pure.js';
import { UUID } from '../platform/runtime/ids.pure.js';
import type { PageQuery } from '../platform/http/pagination.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import type { Draft } from '../platform/contract/read-dto.js';
import { Sql } from '../platform/database/sql.js';
import type {
  AttemptRecord,
  DeliveryRecord,
  ListDeliveriesQuery,
  ReplayDeliveriesDto,
} from './webhook-log.dto.js';
import {
  COUNT_DELIVERIES,
  COUNT_TESTS,
  FIND_DELIVERY,
  FIND_TEST,
  LIST_ATTEMPTS,
  LIST_DELIVERIES,
  LIST_TESTS,
  MAKE_DUE,
  MAKE_FAILED_DUE,
} from './webhook-log-sql.js';

/** Deliveries that one replay makes due; more are a second request. */
export const REPLAY_BATCH = 1_000;

/** What one replay did. */
export interface Replayed {
  count: number;
  /** The youngest one that was made due, or null. */
  lastDeliveryId: string | null;
  hasMore: boolean;
}

/** What merchants see of their webhooks, and how they send them again (specification/webhooks.md#delivery-log). */
@Injectable()
export class WebhookLogService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly loops: PollingLoops,
    private readonly audit: AuditLog,
  ) {}

  /** Newest first; real events, or test events. @throws NotFoundError for a foreign application */
  async list(
    userId: string,
    applicationId: string,
    query: ListDeliveriesQuery,
  ): Promise<{ items: DeliveryRecord[]; total: number }> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const filter = [userId, id, query.paymentId ?? null, query.event ?? null, query.status ?? null];
    const [list, count] = query.test ? [LIST_TESTS, COUNT_TESTS] : [LIST_DELIVERIES, COUNT_DELIVERIES];
    const [items, [counted]] = await Promise.all([
      this.sql.query<DeliveryRecord>(list, [...filter, query.limit, query.offset]),
      this.sql.query<{ total: string }>(count, filter),
    ]);
    return { items, total: Number(counted?.total ?? 0) };
  }

  /** A delivery or a test event. @throws NotFoundError */
  async get(userId: string, applicationId: string, deliveryId: string): Promise<DeliveryRecord> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const record = UUID.test(deliveryId) ? await this.find(userId, id, deliveryId) : null;
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
    const items = await this.sql.query<AttemptRecord & { total: string }>(LIST_ATTEMPTS, [
      userId,
      id,
      page.limit,
      page.offset,
    ]);
    // Behind the last page nothing tells the total; then the first page is asked for its.
    const [first] =
      items.length > 0 ? items : await this.sql.query<{ total: string }>(LIST_ATTEMPTS, [userId, id, 1, 0]);
    return { items, total: Number(first?.total ?? 0) };
  }

  /**
   * Makes a delivery due at once, also one that has succeeded. One that ran out of attempts gets one more.
   * @throws ConflictError when a reorganisation of the chain took back what it says, and for a test event
   */
  async redeliver(userId: string, applicationId: string, deliveryId: string): Promise<DeliveryRecord> {
    const { id, isTest } = await this.get(userId, applicationId, deliveryId);
    if (isTest) throw new ConflictError('invalid_state_transition', 'Send a new test event instead');
    await this.sql.transaction(async (tx) => {
      const due = await tx.query(MAKE_DUE, [userId, applicationId, id, this.clock.now()]);
      if (due.length === 0)
        throw new ConflictError('invalid_state_transition', 'What this webhook says is no longer true');
      const target = { kind: 'delivery', id };
      await this.audit.record(tx, {
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
   * Makes failed and given-up deliveries due at once, oldest first and at most {@link REPLAY_BATCH}. The order of
   * each payment's events is kept as ever: a later one waits for the earlier one's end.
   * @throws ValidationError
   */
  async replay(userId: string, applicationId: string, draft: Draft<ReplayDeliveriesDto>): Promise<Replayed> {
    const { id } = await this.applications.getOwned(userId, applicationId);
    const { given, problems } = draft;
    if (given.since && given.until && given.until < given.since)
      problems.add('until', 'The until field must be a date after or equal to since.');
    if (given.after !== undefined && !(await this.find(userId, id, given.after)))
      problems.add(
        'after',
        'The selected after is invalid. It must be the lastDeliveryId of an answer of this application.',
      );
    const { since, until = null, status, after = null } = draft.finish();
    const due = await this.sql.transaction(async (tx) => {
      const made = await tx.query<{ id: string }>(MAKE_FAILED_DUE, [
        userId,
        id,
        since,
        until,
        status ?? null,
        after,
        this.clock.now(),
        REPLAY_BATCH,
      ]);
      const target = { kind: 'application', id };
      const details = { count: made.length };
      if (made.length > 0)
        await this.audit.record(tx, { act: 'deliveries.replayed', userId, target, details });
      return made;
    });
    if (due.length > 0) this.loops.wake(LoopName.WebhookDelivery);
    return {
      count: due.length,
      lastDeliveryId: due.at(-1)?.id ?? null,
      hasMore: due.length === REPLAY_BATCH,
    };
  }

  private async find(userId: string, applicationId: string, id: string): Promise<DeliveryRecord | null> {
    for (const statement of [FIND_DELIVERY, FIND_TEST]) {
      const [record] = await this.sql.query<DeliveryRecord>(statement, [userId, applicationId, id]);
      if (record) return record;
    }
    return null;
  }
}
