import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { JoinedSites } from '../applications/joined-sites.service.js';
import { callbackOf, type SiteAddresses } from '../applications/payment-callback.pure.js';
import { UNTRUSTED_SETTINGS } from '../applications/settings-integrity.pure.js';
import { Outbox } from '../payments/outbox.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { OVERTAKEN } from '../applications/event-types.pure.js';
import { failpoint } from '../platform/kernel/failpoints.js';
import { Meters } from '../platform/kernel/meters.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { span } from '../platform/kernel/spans.js';
import { isTransient } from '../platform/database/database-errors.pure.js';
import { CONFIG, type Config } from '../config.js';
import { type ClaimBounds, type ClaimedDelivery, DeliveriesService } from './deliveries.service.js';
import { type ConcurrencyLimits, DeliveryConcurrency } from './delivery-concurrency.js';
import { InFlightSends } from './in-flight-sends.js';
import { decideNextStep, type NextStep } from './retry-schedule.pure.js';
import { type Attempt, SignedSender } from './signed-sender.service.js';
import { outcomeOf } from './webhook-sender.js';

/** Limits of this process, so that a slow endpoint does not delay others (specification/webhooks.md#delivery). */
const LIMITS: ConcurrencyLimits = { total: 512, perOwner: 128, perEndpoint: 4, failuresToHalfOpen: 5 };
/** The most deliveries that one statement claims. */
const CLAIM_BATCH = 256;
const UNTRUSTED_EVENT = 'the event was changed outside of the gateway';
const UNTRUSTED_PAYMENT = 'the payment was changed outside of the gateway';
/** The schedule of a test, whatever the configured one is. */
const ONCE = [0];
/** How often a full pass visits all endpoints: for retries that came due, and for deliveries that other processes left. */
const FULL_PASS_INTERVAL_MS = 1_000;

/** Where a delivery goes, by rows that were authenticated. */
interface Recipient {
  /** Null: not authentic. */
  site: SiteAddresses | null;
  /** The payment's own URL; undefined: the payment is not authentic. */
  ownCallbackUrl: string | null | undefined;
}

/**
 * Brings all events to the merchants' endpoints, at least once and in order per payment
 * (specification/webhooks.md#delivery).
 */
@Injectable()
export class WebhookDispatcher implements BeforeApplicationShutdown {
  private readonly logger = new Logger('WebhookDispatcher');
  private readonly sends = new InFlightSends();
  private readonly concurrency = new DeliveryConcurrency(LIMITS);
  /** Applications that had deliveries beyond their capacity. */
  private readonly waiting = new Set<string>();
  /** Those of them with a free slot again, because an attempt has ended. */
  private readonly freed = new Set<string>();
  /** The application after which the full pass continues; null: from the first. */
  private fullPassAfter: string | null = null;
  private isFullPassDue = true;
  private lastFullPassMs = 0;
  /** Randomness of the jitter, from 0 to 1; replaced in tests. */
  random: () => number = Math.random;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly deliveries: DeliveriesService,
    private readonly outbox: Outbox,
    private readonly sites: JoinedSites,
    private readonly sender: SignedSender,
    private readonly loops: PollingLoops,
    private readonly meters: Meters,
  ) {}

  /** Polls once and waits until everything it sent is recorded. True if more may be waiting. */
  runOnce(): Promise<boolean> {
    return this.sends.pollAndWait(() => this.poll());
  }

  /** As {@link next}, with a full pass. */
  poll(): Promise<boolean> {
    this.isFullPassDue = true;
    return this.next();
  }

  /**
   * Creates and claims deliveries of new events, claims waiting ones and starts sending, without waiting for responses,
   * so that a slow endpoint does not delay others. A full pass over all endpoints starts at most every
   * {@link FULL_PASS_INTERVAL_MS}, unless something makes it due. True if more may be waiting.
   */
  next(): Promise<boolean> {
    return this.sends.poll(() => this.dispatchAndClaim());
  }

  /** Claims nothing new and waits for attempts in flight. */
  beforeApplicationShutdown(): Promise<void> {
    return this.sends.stop();
  }

  private async dispatchAndClaim(): Promise<boolean> {
    const dispatched = await this.deliveries.dispatchEvents(this.bounds());
    if (dispatched.count > 0) {
      failpoint('events.dispatched');
      this.loops.wake(LoopName.EventStreams);
    }
    await this.startAll(dispatched.claimed);
    for (const applicationId of dispatched.waiting) {
      this.waiting.add(applicationId);
      // No attempt of it is in flight whose end would trigger the next claim.
      if (!this.concurrency.isBusy(applicationId)) this.isFullPassDue = true;
    }
    // Not woken by a new event, so probably by a delivery that was made due again (redelivery, resumed endpoint).
    if (dispatched.count === 0 && this.freed.size === 0) this.isFullPassDue = true;
    const claimed = this.concurrency.freeSlots > 0 ? await this.claimWaiting() : 0;
    const isFullPassOpen = this.isFullPassDue || this.fullPassAfter !== null;
    return dispatched.isMore || claimed > 0 || (isFullPassOpen && this.concurrency.freeSlots > 0);
  }

  /** Claims from all endpoints, or only from those with a slot free again. Returns how many. */
  private async claimWaiting(): Promise<number> {
    const now = performance.now();
    if (
      this.isFullPassDue ||
      this.fullPassAfter !== null ||
      now - this.lastFullPassMs >= FULL_PASS_INTERVAL_MS
    ) {
      this.isFullPassDue = false;
      this.lastFullPassMs = now;
      this.freed.clear();
      const { deliveries, last } = await this.deliveries.claimFromAll(this.bounds(), this.fullPassAfter);
      // This pass started in the middle: the applications before that have not been visited.
      if (last === null && this.fullPassAfter !== null) this.isFullPassDue = true;
      this.fullPassAfter = last;
      return this.startWaiting(deliveries);
    }
    if (this.freed.size === 0) return 0;
    const freed = [...this.freed];
    this.freed.clear();
    const { deliveries, isFull } = await this.deliveries.claimFromNamed(this.bounds(), freed);
    if (isFull) this.isFullPassDue = true;
    const started = await this.startWaiting(deliveries);
    for (const applicationId of freed)
      if (!this.concurrency.isBusy(applicationId)) this.waiting.delete(applicationId);
    return started;
  }

  private async startWaiting(deliveries: ClaimedDelivery[]): Promise<number> {
    // Each may have more deliveries than it has capacity for.
    for (const { applicationId } of deliveries) this.waiting.add(applicationId);
    await this.startAll(deliveries);
    return deliveries.length;
  }

  /** If these cannot be read, the deliveries stay claimed until their leases end, as after a crash. */
  private async startAll(deliveries: ClaimedDelivery[]): Promise<void> {
    const paymentIds = deliveries.flatMap(({ paymentId }) => paymentId ?? []);
    const [sites, callbacks] = await Promise.all([
      this.sites.listAuthentic(deliveries),
      this.deliveries.listCallbacks(paymentIds),
    ]);
    for (const [i, delivery] of deliveries.entries()) {
      const ownCallbackUrl = delivery.paymentId === null ? null : callbacks.get(delivery.paymentId);
      this.start(delivery, { site: sites[i] ?? null, ownCallbackUrl });
    }
  }

  private bounds(): ClaimBounds {
    return {
      limit: Math.min(CLAIM_BATCH, this.concurrency.freeSlots),
      perEndpoint: LIMITS.perEndpoint,
      endpoints: this.concurrency.capacityOfEndpoints(),
      perOwner: LIMITS.perOwner,
      owners: this.concurrency.capacityOfOwners(),
    };
  }

  private start(delivery: ClaimedDelivery, to: Recipient): void {
    failpoint('deliveries.claimed');
    this.concurrency.acquire(delivery);
    const send = span('webhook.attempt', { event: delivery.type, attempt: delivery.attempts + 1 }, () =>
      this.deliver(delivery, to),
    ).catch((error: unknown) => this.reportBroken(delivery, error));
    this.sends.start(send, () => {
      this.concurrency.release(delivery);
      this.wakeFor(delivery.applicationId);
    });
  }

  /** A slot is free, for the endpoint's next delivery or for any other. */
  private wakeFor(applicationId: string): void {
    if (this.waiting.has(applicationId)) this.freed.add(applicationId);
    if (this.freed.size > 0 || this.isFullPassDue || this.fullPassAfter !== null)
      this.loops.wake(LoopName.WebhookDelivery);
  }

  private async deliver(delivery: ClaimedDelivery, { site, ownCallbackUrl }: Recipient): Promise<void> {
    if (delivery.isSuperseded) {
      await this.deliveries.close(delivery, 'superseded', 'a reorganization of the chain took it back');
      return;
    }
    if (delivery.isOvertaken) {
      await this.deliveries.close(delivery, 'superseded', OVERTAKEN);
      this.loops.wake(LoopName.WebhookDelivery);
      return;
    }
    if (!site) return this.block(delivery, UNTRUSTED_SETTINGS);
    // The event's MAC over what its delivery says: where it goes, and the payment that a 2xx acknowledges.
    const event = this.outbox.authenticate({
      ...delivery,
      id: delivery.eventId,
      createdAt: delivery.eventAt,
    });
    if (!event) return this.block(delivery, UNTRUSTED_EVENT);
    if (ownCallbackUrl === undefined) return this.block(delivery, UNTRUSTED_PAYMENT);
    const isTest = isTestEvent(delivery);
    const callbackUrl = callbackOf(ownCallbackUrl, site);
    if (callbackUrl === null) {
      await this.deliveries.close(delivery, 'skipped', 'no callback URL');
      // The payment may have been confirmed, which creates its next event.
      this.loops.wake(LoopName.WebhookDelivery);
      return;
    }
    const attempt = await this.sender.send(event, callbackUrl, delivery);
    if (!attempt) return this.block(delivery, 'the signing secret cannot be decrypted');
    failpoint('delivery.answered');
    const step = decideNextStep(
      {
        number: delivery.attempts + 1,
        firstAttemptAt: delivery.firstAttemptAt ?? attempt.startedAt,
        deferredSeconds: delivery.deferredSeconds,
        now: this.clock.now(),
        outcome: attempt.result,
      },
      isTest ? ONCE : this.config.webhooks.retryScheduleSeconds,
      this.random,
    );
    // A test is a question of the merchant, and no news of the endpoint.
    if (!isTest) this.concurrency.recordOutcome(delivery.applicationId, step === 'succeeded');
    const isRecorded = await this.deliveries.recordAttempt(delivery, attempt, step);
    failpoint('delivery.recorded');
    this.report(delivery, attempt, step, isRecorded);
    // The payment may have been confirmed, which creates its next event.
    if (step === 'succeeded' && delivery.type === 'payment.received')
      this.loops.wake(LoopName.WebhookDelivery);
  }

  /** Nothing is signed until the operator has mended the cause. */
  private async block(delivery: ClaimedDelivery, reason: string): Promise<void> {
    await this.deliveries.close(delivery, 'blocked', reason);
    this.logger.error(idsOf(delivery), `webhook blocked: ${reason}`);
  }

  private report(delivery: ClaimedDelivery, attempt: Attempt, step: NextStep, isRecorded: boolean): void {
    const isTest = isTestEvent(delivery);
    if (!isTest) this.meters.attempts.inc({ outcome: typeof step === 'string' ? step : 'failed' });
    if (step === 'succeeded' && !isTest)
      this.meters.delivery.observe({}, (this.clock.now().getTime() - delivery.eventAt.getTime()) / 1_000);
    const facts = {
      ...idsOf(delivery),
      attempt: delivery.attempts + 1,
      outcome: outcomeOf(attempt.result),
      ...attempt.result.timing,
    };
    if (!isRecorded)
      this.logger.warn(facts, 'lease expired before the webhook attempt was recorded; it will be sent again');
    else if (isTest) this.logger.debug(facts, 'test event sent');
    else if (step === 'exhausted') this.logger.warn(facts, 'webhook attempts exhausted');
    else if (step === 'gone')
      this.logger.warn(
        facts,
        delivery.paymentId === null ? 'webhook refused as gone' : 'webhook endpoint paused',
      );
    else this.logger.log(facts, step === 'succeeded' ? 'webhook delivered' : 'webhook attempt failed');
  }

  /** A bug or a database outage: the lease expires by itself, and the delivery is attempted again. */
  private reportBroken(delivery: ClaimedDelivery, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.meters.attempts.inc({ outcome: 'broken' });
    const level = error instanceof Error && isTransient(error) ? 'warn' : 'error';
    this.logger[level]({ ...idsOf(delivery), error: text }, 'webhook attempt failed unexpectedly');
  }
}

/** A merchant asked for it: nothing happened, and it is sent once. */
function isTestEvent({ testPaymentId }: ClaimedDelivery): boolean {
  return testPaymentId !== null;
}

function idsOf({ id, eventId, paymentId, applicationId, type }: ClaimedDelivery) {
  return { deliveryId: id, eventId, applicationId, event: type, ...(paymentId !== null && { paymentId }) };
}
