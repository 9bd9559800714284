import { Inject, Injectable } from '@nestjs/common';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { newId } from '../platform/kernel/ids.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { type NewTestEvent, Outbox } from '../payments/outbox.service.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { Capacity } from './delivery-concurrency.js';
import {
  type ClaimedDelivery,
  type ClaimedRow,
  type ClaimParameters,
  DeliveryRepository,
  type DispatchedEvent,
} from './delivery.repository.js';
import type { DeliveryState } from './delivery-state.pure.js';
import { leaseSeconds, type NextStep } from './retry-schedule.pure.js';
import type { Attempt } from './signed-sender.service.js';
import { WebhookEndpointRepository } from './webhook-endpoint.repository.js';
import { outcomeOf } from './webhook-sender.js';

export type { ClaimedDelivery };

/** The most that one claim may take, in all, per endpoint and per owner. */
export interface ClaimBounds {
  limit: number;
  perEndpoint: number;
  endpoints: Capacity;
  perOwner: number;
  owners: Capacity;
}

export interface Dispatched {
  /** Number of dispatched events. */
  count: number;
  /** There are more undispatched events. */
  isMore: boolean;
  claimed: ClaimedDelivery[];
  /** Applications with deliveries that were created but not claimed. */
  waiting: string[];
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** The limit was reached: there may be more. */
  isFull: boolean;
  /** The last application visited if the limit was reached, or null. */
  last: string | null;
}

const NO_REDUCED_CAPACITY: Capacity = { ids: [], slots: [] };
const CLAIM_NOTHING: ClaimBounds = {
  limit: 0,
  perEndpoint: 0,
  endpoints: NO_REDUCED_CAPACITY,
  perOwner: 0,
  owners: NO_REDUCED_CAPACITY,
};
/** Events dispatched by one statement even when none of their deliveries can be sent now. */
const MIN_DISPATCH_BATCH = 64;
/**
 * Ended claims per write. With one write at a time, the claims that end meanwhile share the next statement, which was
 * cheaper than two concurrent writes. Acknowledgements take several statements each, so two of their writes overlap.
 */
const END_GROUP = { items: 200, writes: 1 };
const ACKNOWLEDGE_GROUP = { items: 50, writes: 2 };
const NIL_ID = '00000000-0000-0000-0000-000000000000';

/** The life of a delivery: created from an event, claimed, attempted, ended. */
@Injectable()
export class DeliveriesService {
  /** 30 s plus twice the request timeout. Deliveries of a crashed process stay claimed that long. */
  private readonly leaseSeconds: number;
  /** The last dispatch reached its limit. */
  private hasBacklog = false;
  private readonly ends = new GroupCommit((endings: Ending[]) => this.write(this.sql, endings), END_GROUP);
  private readonly acknowledgements = new GroupCommit(
    (endings: Ending[]) => this.writeAcknowledged(endings),
    ACKNOWLEDGE_GROUP,
  );

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly repository: DeliveryRepository,
    private readonly endpoints: WebhookEndpointRepository,
    private readonly payments: PaymentsService,
    private readonly outbox: Outbox,
    private readonly audit: AuditLog,
  ) {
    this.leaseSeconds = leaseSeconds(config.webhooks.timeoutMs);
  }

  /** Creates deliveries of new events and claims those that the bounds have capacity for; none without bounds. */
  async dispatchEvents(bounds = CLAIM_NOTHING): Promise<Dispatched> {
    const now = this.clock.now();
    // With a backlog, dispatch as many as can be sent, because a delivery claimed here costs no second query; but at
    // least a minimum, because the event feed must not wait for busy endpoints.
    const limit = this.hasBacklog ? Math.max(MIN_DISPATCH_BATCH, bounds.limit) : MIN_DISPATCH_BATCH;
    const newIds = Array.from({ length: limit }, () => newId(now));
    const rows = await this.repository.dispatch({ ...this.parameters(now, bounds), limit, newIds });
    this.hasBacklog = rows.length === limit;
    const waiting = rows.filter(({ id, isMade }) => isMade && id === null);
    return {
      count: rows.length,
      isMore: rows[0]?.isMore ?? false,
      claimed: rows.filter(isClaimed),
      waiting: waiting.map(({ applicationId }) => applicationId),
    };
  }

  /** Claims due deliveries of all applications. @param after continue after this application; null: from the first */
  async claimFromAll(bounds: ClaimBounds, after: string | null): Promise<Claimed> {
    const parameters = this.parameters(this.clock.now(), bounds);
    return claimedOf(await this.repository.claimFromAll({ ...parameters, after: after ?? NIL_ID }), bounds);
  }

  /** Claims due deliveries of some applications. */
  async claimFromNamed(bounds: ClaimBounds, applicationIds: readonly string[]): Promise<Claimed> {
    const parameters = this.parameters(this.clock.now(), bounds);
    return claimedOf(await this.repository.claimFromNamed({ ...parameters, applicationIds }), bounds);
  }

  /** {@link PaymentsService.listCallbacks} */
  listCallbacks(paymentIds: readonly string[]): Promise<Map<string, string | null>> {
    return this.payments.listCallbacks(paymentIds);
  }

  /**
   * Records an attempt and its consequences in one transaction, including the move to CONFIRMED of a payment whose
   * payment.received got a 2xx. Returns false if the lease was lost meanwhile: its new holder sends the event again.
   */
  async recordAttempt(delivery: ClaimedDelivery, attempt: Attempt, step: NextStep): Promise<boolean> {
    const hasSucceeded = step === 'succeeded';
    return this.end({
      delivery,
      attempt,
      state: stateAfter(step),
      attempts: delivery.attempts + 1,
      nextAttemptAt: typeof step === 'string' ? null : step.nextAttemptAt,
      deferredSeconds: typeof step === 'string' ? delivery.deferredSeconds : step.deferredSeconds,
      succeededAt: hasSucceeded ? this.clock.now() : null,
      lastError: hasSucceeded ? null : outcomeOf(attempt.result),
      // What is not about a payment says nothing about the endpoint of payments.
      isGone: step === 'gone' && delivery.paymentId !== null,
      acknowledges: hasSucceeded ? receivedPaymentOf(delivery) : null,
    });
  }

  /** Ends a delivery without sending it: no endpoint, superseded, or no readable secret to sign with. */
  async close(
    delivery: ClaimedDelivery,
    state: 'skipped' | 'superseded' | 'blocked',
    reason: string,
  ): Promise<boolean> {
    return this.end({
      delivery,
      attempt: null,
      state,
      attempts: delivery.attempts,
      nextAttemptAt: null,
      deferredSeconds: delivery.deferredSeconds,
      succeededAt: null,
      lastError: reason,
      isGone: false,
      // No webhook to run counts as acknowledged (specification/payment-states.md#confirmed).
      acknowledges: state === 'skipped' ? receivedPaymentOf(delivery) : null,
    });
  }

  /** Creates a test event with its delivery, which is due at once and before all else. */
  async createTest(id: string, event: NewTestEvent): Promise<void> {
    await this.sql.transaction(async () => {
      await this.outbox.addTest(event);
      await this.repository.insertTest(id, event);
    });
  }

  private parameters(now: Date, bounds: ClaimBounds): ClaimParameters {
    return {
      now,
      leaseToken: newId(now),
      leaseSeconds: this.leaseSeconds,
      claimLimit: bounds.limit,
      perEndpoint: bounds.perEndpoint,
      endpointIds: bounds.endpoints.ids,
      endpointSlots: bounds.endpoints.slots,
      perOwner: bounds.perOwner,
      ownerIds: bounds.owners.ids,
      ownerSlots: bounds.owners.slots,
    };
  }

  private end(ending: Ending): Promise<boolean> {
    if (ending.isGone && ending.attempt) return this.writeGone(ending, ending.attempt);
    return (ending.acknowledges === null ? this.ends : this.acknowledgements).add(ending);
  }

  /** Not batched, because it is rare and the audit record must be the last write of its transaction. */
  private writeGone(ending: Ending, { url }: Attempt): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      const [isEnded = false] = await this.write(tx, [ending]);
      if (!isEnded) return false;
      const { id: deliveryId, applicationId, userId } = ending.delivery;
      if (await this.endpoints.pauseGone(applicationId, url, this.clock.now())) {
        const target = { kind: 'application', id: applicationId };
        await this.audit.record({
          act: 'endpoint.paused',
          userId,
          target,
          details: { deliveryId, reason: 'gone' },
        });
      }
      return true;
    });
  }

  /** All or none: one lost lease rolls back the others too, and GroupCommit then writes each by itself. */
  private async writeAcknowledged(endings: Ending[]): Promise<boolean[]> {
    try {
      return await this.sql.transaction(async (tx) => {
        // First, because it locks the payments and payments are locked before deliveries.
        await this.payments.acknowledgeReceived(
          endings.flatMap(({ delivery: { eventId }, acknowledges: paymentId }) =>
            paymentId === null ? [] : [{ eventId, paymentId }],
          ),
        );
        failpoint('delivery.acknowledged');
        const ended = await this.write(tx, endings);
        failpoint('delivery.claim-ended');
        if (ended.includes(false)) throw new LeaseLostError();
        return ended;
      });
    } catch (error) {
      if (error instanceof LeaseLostError && endings.length === 1) return [false];
      throw error;
    }
  }

  /** Returns for each whether its lease was still valid. */
  private async write(on: Queryable, endings: Ending[]): Promise<boolean[]> {
    const attempts = endings.map(({ attempt }) => attempt);
    const responses = attempts.map((attempt) =>
      attempt?.result.kind === 'response' ? attempt.result : null,
    );
    const timings = attempts.map((attempt) => attempt?.result.timing);
    const rows = await this.repository.endClaims(on, {
      ids: endings.map(({ delivery }) => delivery.id),
      leaseTokens: endings.map(({ delivery }) => delivery.leaseToken),
      states: endings.map(({ state }) => state),
      attempts: endings.map((ending) => ending.attempts),
      nextAttemptAts: endings.map(({ nextAttemptAt }) => nextAttemptAt),
      succeededAts: endings.map(({ succeededAt }) => succeededAt),
      lastErrors: endings.map(({ lastError }) => lastError),
      deferredSeconds: endings.map(({ deferredSeconds }) => deferredSeconds),
      startedAts: attempts.map((attempt) => attempt?.startedAt ?? null),
      urls: attempts.map((attempt) => attempt?.url ?? null),
      httpStatuses: responses.map((response) => response?.status ?? null),
      errors: attempts.map((attempt) => (attempt?.result.kind === 'failure' ? attempt.result.error : null)),
      responseBodies: responses.map((response) => response?.body ?? null),
      connectMs: timings.map((timing) => timing?.connectMs ?? null),
      firstByteMs: timings.map((timing) => timing?.firstByteMs ?? null),
      durationMs: timings.map((timing) => timing?.durationMs ?? null),
    });
    const ended = new Set(rows.map(({ id }) => id));
    return endings.map(({ delivery }) => ended.has(delivery.id));
  }
}

/** How a claim ends. */
interface Ending {
  delivery: ClaimedDelivery;
  /** Null: nothing was sent. */
  attempt: Attempt | null;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: Date | null;
  deferredSeconds: number;
  succeededAt: Date | null;
  lastError: string | null;
  /** The endpoint returned 410: it must not be called again. */
  isGone: boolean;
  /** The payment that the merchant has acknowledged, so that it moves to CONFIRMED. */
  acknowledges: string | null;
}

/** Rolls back the transaction of a process whose lease ended before it recorded. */
class LeaseLostError extends Error {}

function isClaimed(row: DispatchedEvent): row is DispatchedEvent & ClaimedDelivery {
  return row.id !== null;
}

function claimedOf(rows: ClaimedRow[], { limit }: ClaimBounds): Claimed {
  const [first] = rows;
  const isFull = first !== undefined && first.ofDue >= limit;
  return { deliveries: rows, isFull, last: isFull ? first.lastApplication : null };
}

/** The payment that `payment.received` reports; null: another event, or a test, which is of no payment. */
function receivedPaymentOf({ type, paymentId }: ClaimedDelivery): string | null {
  return type === 'payment.received' ? paymentId : null;
}

function stateAfter(step: NextStep): DeliveryState {
  if (typeof step !== 'string') return 'pending';
  return step === 'succeeded' ? 'succeeded' : 'exhausted';
}
