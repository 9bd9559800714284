import { Inject, Injectable } from '@nestjs/common';
import { Clock } from '../common/clock.js';
import { newId } from '../common/ids.js';
import { type Queryable, Sql } from '../common/sql.js';
import { CONFIG, type Config } from '../config.js';
import { PaymentsService } from '../payments/payments.service.js';
import {
  BLOCKED_APPLICATIONS,
  CLAIM_DUE,
  DISPATCH_EVENTS,
  FINISH_CLAIM,
  INSERT_ATTEMPT,
  PAUSE_ENDPOINT,
  RELEASE_BLOCKED,
} from './delivery-sql.js';
import type { NextStep } from './retry-schedule.js';
import type { SendResult } from './webhook-sender.js';

/** States of a delivery; only `pending` is ever sent, and `blocked` holds back the payment's later ones. */
export type DeliveryState = 'pending' | 'succeeded' | 'exhausted' | 'superseded' | 'blocked' | 'skipped';

/** A delivery that this process may send until its lease ends. */
export interface ClaimedDelivery {
  id: string;
  eventId: string;
  paymentId: string;
  applicationId: string;
  type: string;
  /** Finished ones. */
  attempts: number;
  firstAttemptAt: Date | null;
  leaseToken: string;
  /** The stored text; its UTF-8 bytes are what is signed and sent. */
  body: string;
  /** A reorg took back what it says (api.md H). */
  isSuperseded: boolean;
}

/** One finished HTTP try. */
export interface Attempt {
  url: string;
  startedAt: Date;
  durationMs: number;
  result: SendResult;
}

/** Events made into deliveries by one statement. */
const DISPATCH_BATCH = 200;

/** The rows of event, delivery and attempt: every change of a delivery is written here. */
@Injectable()
export class DeliveriesService {
  /** Longer than a try can last, twice over: a crashed holder's deliveries wait that long. */
  private readonly leaseSeconds: number;

  constructor(
    @Inject(CONFIG) config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly payments: PaymentsService,
  ) {
    this.leaseSeconds = 30 + (2 * config.webhooks.timeoutMs) / 1000;
  }

  /** Makes deliveries of new events; answers how many events it took. */
  async dispatchEvents(): Promise<number> {
    const now = this.clock.now();
    const ids = Array.from({ length: DISPATCH_BATCH }, () => newId(now));
    return (await this.sql.query(DISPATCH_EVENTS, [now, DISPATCH_BATCH, ids])).length;
  }

  /**
   * @param limit how many at most
   * @param inFlight deliveries under way in this process, by application
   */
  async claim(
    limit: number,
    perEndpoint: number,
    inFlight: ReadonlyMap<string, number>,
  ): Promise<ClaimedDelivery[]> {
    const now = this.clock.now();
    return this.sql.query<ClaimedDelivery>(CLAIM_DUE, [
      now,
      limit,
      [...inFlight.keys()],
      perEndpoint,
      [...inFlight.values()],
      newId(now),
      this.leaseSeconds,
    ]);
  }

  /**
   * Writes an attempt with everything that follows from it, or nothing: also the move to CONFIRMED of a payment
   * whose payment.received was answered 2xx. Answers false when the lease was lost meanwhile: whoever holds it
   * now sends the same event again.
   */
  async recordAttempt(delivery: ClaimedDelivery, attempt: Attempt, step: NextStep): Promise<boolean> {
    const { url, startedAt, durationMs, result } = attempt;
    const number = delivery.attempts + 1;
    const { httpStatus, error, responseBody } = attemptColumns(result);
    return this.finish(async (tx) => {
      if (step === 'succeeded') await this.acknowledge(tx, delivery);
      await this.endClaim(tx, delivery, {
        state: stateAfter(step),
        attempts: number,
        firstAttemptAt: startedAt,
        nextAttemptAt: typeof step === 'string' ? null : step.nextAttemptAt,
        succeededAt: step === 'succeeded' ? this.clock.now() : null,
        lastError: step === 'succeeded' ? null : (error ?? `HTTP ${httpStatus}`),
      });
      await tx.query(INSERT_ATTEMPT, [
        newId(this.clock.now()),
        delivery.id,
        number,
        url,
        httpStatus,
        error,
        responseBody,
        durationMs,
        startedAt,
      ]);
      if (step === 'gone') await tx.query(PAUSE_ENDPOINT, [delivery.applicationId, url, this.clock.now()]);
    });
  }

  /** Ends a delivery that was not sent: no endpoint any more, taken back, or nothing to sign it with. */
  async close(
    delivery: ClaimedDelivery,
    state: 'skipped' | 'superseded' | 'blocked',
    reason: string,
  ): Promise<boolean> {
    return this.finish(async (tx) => {
      // api.md H1: no webhook to run counts as executed.
      if (state === 'skipped') await this.acknowledge(tx, delivery);
      await this.endClaim(tx, delivery, {
        state,
        attempts: delivery.attempts,
        firstAttemptAt: null,
        nextAttemptAt: null,
        succeededAt: null,
        lastError: reason,
      });
    });
  }

  /** Applications with parked deliveries. */
  async blockedApplications(): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(BLOCKED_APPLICATIONS)).map(({ id }) => id);
  }

  /** Makes an application's parked deliveries due; answers how many. */
  async releaseBlocked(applicationId: string): Promise<number> {
    return (await this.sql.query(RELEASE_BLOCKED, [applicationId, this.clock.now()])).length;
  }

  /** Locks the payment, hence always before the delivery. */
  private async acknowledge(tx: Queryable, { type, paymentId, eventId }: ClaimedDelivery): Promise<void> {
    if (type === 'payment.received') await this.payments.acknowledgeReceived(tx, paymentId, eventId);
  }

  private async endClaim(tx: Queryable, delivery: ClaimedDelivery, end: ClaimEnd): Promise<void> {
    const ended = await tx.query(FINISH_CLAIM, [
      delivery.id,
      delivery.leaseToken,
      end.state,
      end.attempts,
      end.firstAttemptAt,
      end.nextAttemptAt,
      end.succeededAt,
      end.lastError,
    ]);
    if (ended.length === 0) throw new LeaseLostError();
  }

  private async finish(work: (tx: Queryable) => Promise<void>): Promise<boolean> {
    try {
      await this.sql.transaction(work);
      return true;
    } catch (error) {
      if (error instanceof LeaseLostError) return false;
      throw error;
    }
  }
}

interface ClaimEnd {
  state: DeliveryState;
  attempts: number;
  firstAttemptAt: Date | null;
  nextAttemptAt: Date | null;
  succeededAt: Date | null;
  lastError: string | null;
}

/** Undoes the transaction of a holder that was too slow. */
class LeaseLostError extends Error {}

function stateAfter(step: NextStep): DeliveryState {
  if (typeof step !== 'string') return 'pending';
  return step === 'succeeded' ? 'succeeded' : 'exhausted';
}

function attemptColumns(result: SendResult) {
  return result.kind === 'response'
    ? { httpStatus: result.status, error: null, responseBody: result.body }
    : { httpStatus: null, error: result.error, responseBody: null };
}
