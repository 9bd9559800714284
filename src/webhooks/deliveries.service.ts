import { Inject, Injectable } from '@nestjs/common';
import type { SealedSigningSecrets } from '../applications/signing-secrets.service.js';
import { AuditLog } from '../platform/audit/audit-log.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { GroupCommit } from '../platform/database/group-commit.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { type Queryable, Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { PaymentsService } from '../payments/payments.service.js';
import type { Capacity } from './delivery-concurrency.js';
import {
  BLOCKED_APPLICATIONS,
  CLAIM_NAMED,
  CLAIM_RING,
  DISPATCH_EVENTS,
  END_CLAIMS,
  PAUSE_GONE,
  RELEASE_BLOCKED,
} from './delivery-sql.js';
import type { NextStep } from './retry-schedule.pure.js';
import type { SendResult } from './webhook-sender.js';

/** States of a delivery; only `pending` is ever sent, and `blocked` holds back the payment's later ones. */
export type DeliveryState = 'pending' | 'succeeded' | 'exhausted' | 'superseded' | 'blocked' | 'skipped';

/** A delivery that this process may send until its lease ends. */
export interface ClaimedDelivery extends SealedSigningSecrets {
  id: string;
  eventId: string;
  paymentId: string;
  userId: string;
  type: string;
  /** Finished ones. */
  attempts: number;
  firstAttemptAt: Date | null;
  /** For how long its endpoint has put off tries by Retry-After. */
  deferredSeconds: number;
  leaseToken: string;
  /** The stored text; its UTF-8 bytes are what is signed and sent. */
  body: string;
  /** When the event was born. */
  eventAt: Date;
  /** A reorg took back what it says (specification/payment-states.md#reorganizations). */
  isSuperseded: boolean;
  /** A later event made it pointless. */
  isOvertaken: boolean;
  /** The application's, as it is saved now. */
  callbackUrl: string | null;
  /** The application's website; see payment-callback.pure.ts. */
  siteUrl: string | null;
  /** The payment's. */
  ownCallbackUrl: string | null;
}

/** One finished HTTP try. */
export interface Attempt {
  url: string;
  startedAt: Date;
  result: SendResult;
}

/** How much one claim may take. */
export interface ClaimBounds {
  limit: number;
  perEndpoint: number;
  endpoints: Capacity;
  perOwner: number;
  owners: Capacity;
}

export interface Dispatched {
  /** Events that it took. */
  count: number;
  /** There were more. */
  isMore: boolean;
  claimed: ClaimedDelivery[];
  /** Applications with deliveries that were made but not claimed. */
  waiting: string[];
}

export interface Claimed {
  deliveries: ClaimedDelivery[];
  /** As many as there was room for: there may be more. */
  isFull: boolean;
  /** The last application that was visited when it was full. */
  last: string | null;
}

const NOBODY: Capacity = { ids: [], rooms: [] };
const NO_ROOM: ClaimBounds = { limit: 0, perEndpoint: 0, endpoints: NOBODY, perOwner: 0, owners: NOBODY };
/** Events made into deliveries by one statement, also when none of them can be sent now. */
const DISPATCH_AT_LEAST = 64;
/**
 * Ends of claims written by one statement; those that also move their payments take several each. One write at a time
 * where one statement does it: what gathers meanwhile costs less together than two writes save by waiting together.
 */
const END_GROUP = { items: 200, writes: 1 };
const ACKNOWLEDGE_GROUP = { items: 50, writes: 2 };
const NO_ID = '00000000-0000-0000-0000-000000000000';

/** A row of {@link DISPATCH_EVENTS}: an event that was taken. Without an id its delivery is not the caller's. */
type DispatchedRow = { applicationId: string; isMade: boolean; isMore: boolean } & (
  ClaimedDelivery | { id: null }
);
/** A row of the claims; how many were due, and the last application among them, is the same in all. */
type ClaimedRow = ClaimedDelivery & { ofDue: number; lastApplication: string };

/** The rows of event, delivery and attempt: every change of a delivery is written here. */
@Injectable()
export class DeliveriesService {
  /** Longer than a try can last, twice over: a crashed holder's deliveries wait that long. */
  private readonly leaseSeconds: number;
  /** The last dispatch took all that it was to take. */
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
    private readonly payments: PaymentsService,
    private readonly audit: AuditLog,
  ) {
    this.leaseSeconds = 30 + (2 * config.webhooks.timeoutMs) / 1000;
  }

  /** Makes deliveries of new events, and claims at once those that the bounds have room for; none without bounds. */
  async dispatchEvents(bounds = NO_ROOM): Promise<Dispatched> {
    const now = this.clock.now();
    // A backlog is taken as fast as it can be sent, because what is claimed at once need not be looked for again; but
    // readers of the feed wait for no endpoint.
    const limit = this.hasBacklog ? Math.max(DISPATCH_AT_LEAST, bounds.limit) : DISPATCH_AT_LEAST;
    const rows = await this.sql.query<DispatchedRow>(DISPATCH_EVENTS, [
      now,
      limit,
      Array.from({ length: limit }, () => newId(now)),
      newId(now),
      this.leaseSeconds,
      bounds.limit,
      bounds.perEndpoint,
      bounds.endpoints.ids,
      bounds.endpoints.rooms,
      bounds.perOwner,
      bounds.owners.ids,
      bounds.owners.rooms,
    ]);
    this.hasBacklog = rows.length === limit;
    const waiting = rows.filter(({ id, isMade }) => isMade && id === null);
    return {
      count: rows.length,
      isMore: rows[0]?.isMore ?? false,
      claimed: rows.filter(isClaimed),
      waiting: waiting.map(({ applicationId }) => applicationId),
    };
  }

  /** Claims what is due. @param after the application behind which the ring of them goes on; null: from the first */
  async claimRing(bounds: ClaimBounds, after: string | null): Promise<Claimed> {
    return this.claim(CLAIM_RING, bounds, after ?? NO_ID);
  }

  /** Claims what is due of some applications. */
  async claimOf(bounds: ClaimBounds, applicationIds: readonly string[]): Promise<Claimed> {
    return this.claim(CLAIM_NAMED, bounds, applicationIds);
  }

  /**
   * Writes an attempt with everything that follows from it, or nothing: also the move to CONFIRMED of a payment
   * whose payment.received was answered 2xx. Answers false when the lease was lost meanwhile: whoever holds it
   * now sends the same event again.
   */
  async recordAttempt(delivery: ClaimedDelivery, attempt: Attempt, step: NextStep): Promise<boolean> {
    const { httpStatus, error } = attemptColumns(attempt.result);
    const hasSucceeded = step === 'succeeded';
    return this.end({
      delivery,
      attempt,
      state: stateAfter(step),
      attempts: delivery.attempts + 1,
      nextAttemptAt: typeof step === 'string' ? null : step.nextAttemptAt,
      deferredSeconds: typeof step === 'string' ? delivery.deferredSeconds : step.deferredSeconds,
      succeededAt: hasSucceeded ? this.clock.now() : null,
      lastError: hasSucceeded ? null : (error ?? `HTTP ${httpStatus}`),
      isGone: step === 'gone',
      acknowledges: hasSucceeded && delivery.type === 'payment.received',
    });
  }

  /** Ends a delivery that was not sent: no endpoint any more, taken back, or nothing to sign it with. */
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
      acknowledges: state === 'skipped' && delivery.type === 'payment.received',
    });
  }

  /** Applications with parked deliveries, and whether these still have somewhere to go. */
  async blockedApplications(): Promise<{ id: string; hasEndpoint: boolean }[]> {
    return this.sql.query(BLOCKED_APPLICATIONS);
  }

  /** Makes an application's parked deliveries due; answers how many. */
  async releaseBlocked(applicationId: string): Promise<number> {
    return (await this.sql.query(RELEASE_BLOCKED, [applicationId, this.clock.now()])).length;
  }

  private async claim(
    statement: string,
    bounds: ClaimBounds,
    which: string | readonly string[],
  ): Promise<Claimed> {
    const now = this.clock.now();
    const rows = await this.sql.query<ClaimedRow>(statement, [
      now,
      bounds.limit,
      bounds.endpoints.ids,
      bounds.endpoints.rooms,
      bounds.perEndpoint,
      bounds.owners.ids,
      bounds.owners.rooms,
      bounds.perOwner,
      newId(now),
      this.leaseSeconds,
      which,
    ]);
    const [first] = rows;
    const isFull = first !== undefined && first.ofDue >= bounds.limit;
    return { deliveries: rows, isFull, last: isFull ? first.lastApplication : null };
  }

  private end(ending: Ending): Promise<boolean> {
    if (ending.isGone && ending.attempt) return this.writeGone(ending, ending.attempt);
    return (ending.acknowledges ? this.acknowledgements : this.ends).add(ending);
  }

  /** Rare, and by itself: the pause stands in the audit log, whose row is the last thing of its transaction. */
  private writeGone(ending: Ending, { url }: Attempt): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      const [isEnded = false] = await this.write(tx, [ending]);
      if (!isEnded) return false;
      const { id: deliveryId, applicationId, userId } = ending.delivery;
      const paused = await tx.query(PAUSE_GONE, [this.clock.now(), applicationId, url]);
      if (paused.length > 0) {
        const target = { kind: 'application', id: applicationId };
        await this.audit.record(tx, {
          act: 'endpoint.paused',
          userId,
          target,
          details: { deliveryId, reason: 'gone' },
        });
      }
      return true;
    });
  }

  /** All of them or none: one lost lease undoes the others' moves too, and each is then written by itself. */
  private async writeAcknowledged(endings: Ending[]): Promise<boolean[]> {
    try {
      return await this.sql.transaction(async (tx) => {
        // Locks the payments, hence before the deliveries.
        await this.payments.acknowledgeReceived(
          tx,
          endings.map(({ delivery }) => delivery),
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

  /** Answers for each whether its lease still held. */
  private async write(on: Queryable, inOrderOfEnd: Ending[]): Promise<boolean[]> {
    // In the order of ids, as replays lock them: two that wait for each other would both lose a second.
    const endings = inOrderOfEnd.toSorted((a, b) => (a.delivery.id < b.delivery.id ? -1 : 1));
    const tried = endings.map(({ attempt }) => attempt && { ...attempt, ...attemptColumns(attempt.result) });
    const rows = await on.query<{ id: string }>(END_CLAIMS, [
      endings.map(({ delivery }) => delivery.id),
      endings.map(({ delivery }) => delivery.leaseToken),
      endings.map(({ state }) => state),
      endings.map(({ attempts }) => attempts),
      endings.map(({ nextAttemptAt }) => nextAttemptAt),
      endings.map(({ succeededAt }) => succeededAt),
      endings.map(({ lastError }) => lastError),
      tried.map((one) => one?.startedAt ?? null),
      tried.map((one) => one?.url ?? null),
      tried.map((one) => one?.httpStatus ?? null),
      tried.map((one) => one?.error ?? null),
      tried.map((one) => one?.responseBody ?? null),
      tried.map((one) => one?.connectMs ?? null),
      tried.map((one) => one?.firstByteMs ?? null),
      tried.map((one) => one?.durationMs ?? null),
      endings.map(({ deferredSeconds }) => deferredSeconds),
    ]);
    const ended = new Set(rows.map(({ id }) => id));
    return inOrderOfEnd.map(({ delivery }) => ended.has(delivery.id));
  }
}

/** How a claim ends. */
interface Ending {
  delivery: ClaimedDelivery;
  /** Null: it was not sent. */
  attempt: Attempt | null;
  state: DeliveryState;
  attempts: number;
  nextAttemptAt: Date | null;
  deferredSeconds: number;
  succeededAt: Date | null;
  lastError: string | null;
  /** The endpoint asked never to be called again. */
  isGone: boolean;
  /** The merchant knows of the payment now. */
  acknowledges: boolean;
}

/** Undoes the transaction of a holder that was too slow. */
class LeaseLostError extends Error {}

function isClaimed(row: DispatchedRow): row is DispatchedRow & ClaimedDelivery {
  return row.id !== null;
}

function stateAfter(step: NextStep): DeliveryState {
  if (typeof step !== 'string') return 'pending';
  return step === 'succeeded' ? 'succeeded' : 'exhausted';
}

function attemptColumns(result: SendResult) {
  return result.kind === 'response'
    ? { ...result.timing, httpStatus: result.status, error: null, responseBody: result.body }
    : { ...result.timing, httpStatus: null, error: result.error, responseBody: null };
}
