import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { callbackOf } from '../applications/payment-callback.pure.js';
import { type SealedSigningSecrets, SigningSecretsService } from '../applications/signing-secrets.service.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { OVERTAKEN } from '../applications/event-types.pure.js';
import { failpoint } from '../platform/runtime/failpoints.js';
import { UnsealError } from '../platform/security/keyring.js';
import { Meters } from '../platform/observability/meters.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { span } from '../platform/observability/spans.js';
import { isTransient } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import {
  type Attempt,
  type ClaimBounds,
  type ClaimedDelivery,
  DeliveriesService,
} from './deliveries.service.js';
import { DeliveryConcurrency, type LoadBounds } from './delivery-concurrency.js';
import { decideNextStep, type NextStep } from './retry-schedule.pure.js';
import { WebhookSender } from './webhook-sender.js';
import { signatureHeaders, type SigningSecrets } from './webhook-signature.pure.js';

/** Bulkheads of this process (specification/webhooks.md#delivery). */
const BOUNDS: LoadBounds = { total: 512, perOwner: 128, perEndpoint: 4, failuresToProbe: 5 };
/** Claimed by one statement. */
const CLAIM_BATCH = 256;
/** How often it looks at all endpoints: retries that came due, and what other processes left behind. */
const RING_INTERVAL_MS = 1_000;

/**
 * Brings events to the merchants' endpoints, at least once and in order per payment
 * (specification/webhooks.md#delivery).
 */
@Injectable()
export class WebhookDispatcher implements BeforeApplicationShutdown {
  private readonly logger = new Logger('WebhookDispatcher');
  private readonly sends = new Set<Promise<void>>();
  private readonly load = new DeliveryConcurrency(BOUNDS);
  /** Applications with deliveries that could not be claimed when they were seen. */
  private readonly waiting = new Set<string>();
  /** Those of them whose turn has come: one of their tries has ended. */
  private readonly freed = new Set<string>();
  /** Where the next look at all endpoints begins; null: at the first. */
  private ringAfter: string | null = null;
  private isRingDue = true;
  private lastRingMs = 0;
  private turn: Promise<boolean> = Promise.resolve(false);
  private isStopping = false;
  /** Chance for the jitter, from 0 to 1; tests put their own in its place. */
  random: () => number = Math.random;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly deliveries: DeliveriesService,
    private readonly secrets: SigningSecretsService,
    private readonly sender: WebhookSender,
    private readonly loops: PollingLoops,
    private readonly meters: Meters,
  ) {}

  /** One turn to its end: what it started has been answered and recorded. True when more may be waiting. */
  async runOnce(): Promise<boolean> {
    // What ends while the turn looks has made room behind its back.
    const wasBusy = this.sends.size > 0;
    const isMore = await this.poll();
    const isBusy = this.sends.size > 0;
    await Promise.all(this.sends);
    return isMore || wasBusy || isBusy;
  }

  /** One turn without waiting for answers, with a look at all endpoints. True when more may be waiting. */
  async poll(): Promise<boolean> {
    this.isRingDue = true;
    return this.next();
  }

  /**
   * One turn without waiting for answers, so that a slow endpoint delays nobody: makes and claims deliveries of new
   * events, claims what was waiting and starts sending. All endpoints are looked at only now and then.
   */
  async next(): Promise<boolean> {
    if (this.isStopping) return false;
    this.turn = this.takeTurn();
    return this.turn;
  }

  /**
   * Looks again at parked deliveries: a restored key, or a new secret, sets them free, and an endpoint that is gone,
   * because what is not sent needs no signature. Never more to do at once.
   */
  async releaseBlocked(): Promise<boolean> {
    for (const { id: applicationId, hasEndpoint } of await this.deliveries.blockedApplications()) {
      if (hasEndpoint && !this.findSecrets(await this.secrets.getSealed(applicationId))) continue;
      const count = await this.deliveries.releaseBlocked(applicationId);
      this.logger.log({ applicationId, count }, 'blocked webhooks released');
    }
    return false;
  }

  /** Takes nothing new, and lets what is under way end; before the sender's connections and the database go. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled([this.turn]);
    await Promise.all(this.sends);
  }

  private async takeTurn(): Promise<boolean> {
    const dispatched = await this.deliveries.dispatchEvents(this.bounds());
    if (dispatched.count > 0) {
      failpoint('events.dispatched');
      this.loops.wake(LoopName.EventStreams);
    }
    for (const delivery of dispatched.claimed) this.start(delivery);
    for (const applicationId of dispatched.waiting) {
      this.waiting.add(applicationId);
      // Nothing of it is under way whose end would bring it up again.
      if (!this.load.isBusy(applicationId)) this.isRingDue = true;
    }
    // Woken by something else than a new event: a delivery that was made due again.
    if (dispatched.count === 0 && this.freed.size === 0) this.isRingDue = true;
    const claimed = this.load.free > 0 ? await this.claimWaiting() : 0;
    const isRingOpen = this.isRingDue || this.ringAfter !== null;
    return dispatched.isMore || claimed > 0 || (isRingOpen && this.load.free > 0);
  }

  /** Claims of all endpoints, or only of those whose turn has come. Answers how many. */
  private async claimWaiting(): Promise<number> {
    const now = performance.now();
    if (this.isRingDue || this.ringAfter !== null || now - this.lastRingMs >= RING_INTERVAL_MS) {
      this.isRingDue = false;
      this.lastRingMs = now;
      this.freed.clear();
      const { deliveries, last } = await this.deliveries.claimRing(this.bounds(), this.ringAfter);
      // Whoever ends in the middle of the ring began behind somebody else's start.
      if (last === null && this.ringAfter !== null) this.isRingDue = true;
      this.ringAfter = last;
      return this.startAll(deliveries);
    }
    if (this.freed.size === 0) return 0;
    const freed = [...this.freed];
    this.freed.clear();
    const { deliveries, isFull } = await this.deliveries.claimOf(this.bounds(), freed);
    if (isFull) this.isRingDue = true;
    const started = this.startAll(deliveries);
    for (const applicationId of freed)
      if (!this.load.isBusy(applicationId)) this.waiting.delete(applicationId);
    return started;
  }

  private startAll(deliveries: ClaimedDelivery[]): number {
    for (const delivery of deliveries) {
      // There may be more of it than fitted.
      this.waiting.add(delivery.applicationId);
      this.start(delivery);
    }
    return deliveries.length;
  }

  private bounds(): ClaimBounds {
    return {
      limit: Math.min(CLAIM_BATCH, this.load.free),
      perEndpoint: BOUNDS.perEndpoint,
      endpoints: this.load.capacityOfEndpoints(),
      perOwner: BOUNDS.perOwner,
      owners: this.load.capacityOfOwners(),
    };
  }

  private start(delivery: ClaimedDelivery): void {
    failpoint('deliveries.claimed');
    this.load.begin(delivery);
    const send = span('webhook.attempt', { event: delivery.type, attempt: delivery.attempts + 1 }, () =>
      this.deliver(delivery),
    )
      .catch((error: unknown) => this.reportBroken(delivery, error))
      .finally(() => {
        this.load.end(delivery);
        this.sends.delete(send);
        this.wakeFor(delivery.applicationId);
      });
    this.sends.add(send);
  }

  /** A place is free: for the endpoint's next one, or for anybody's. */
  private wakeFor(applicationId: string): void {
    if (this.waiting.has(applicationId)) this.freed.add(applicationId);
    if (this.freed.size > 0 || this.isRingDue || this.ringAfter !== null)
      this.loops.wake(LoopName.WebhookDelivery);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    if (delivery.isSuperseded) {
      await this.deliveries.close(delivery, 'superseded', 'a reorganisation of the chain took it back');
      return;
    }
    if (delivery.isOvertaken) {
      await this.deliveries.close(delivery, 'superseded', OVERTAKEN);
      this.loops.wake(LoopName.WebhookDelivery);
      return;
    }
    const callbackUrl = callbackOf(delivery.ownCallbackUrl, {
      url: delivery.siteUrl,
      callbackUrl: delivery.callbackUrl,
    });
    if (callbackUrl === null) {
      await this.deliveries.close(delivery, 'skipped', 'no callback URL');
      // The payment may have moved on, to its next event.
      this.loops.wake(LoopName.WebhookDelivery);
      return;
    }
    const secrets = this.findSecrets(delivery);
    if (!secrets) {
      await this.deliveries.close(delivery, 'blocked', 'the signing secret cannot be decrypted');
      this.logger.error(names(delivery), 'webhook blocked: the signing secret cannot be decrypted');
      return;
    }
    const attempt = await this.send(delivery, callbackUrl, secrets);
    failpoint('delivery.answered');
    const step = decideNextStep(
      {
        number: delivery.attempts + 1,
        firstAttemptAt: delivery.firstAttemptAt ?? attempt.startedAt,
        deferredSeconds: delivery.deferredSeconds,
        now: this.clock.now(),
        outcome: attempt.result,
      },
      this.config.webhooks.retryScheduleSeconds,
      this.random,
    );
    this.load.judge(delivery.applicationId, step === 'succeeded');
    const isRecorded = await this.deliveries.recordAttempt(delivery, attempt, step);
    failpoint('delivery.recorded');
    this.report(delivery, attempt, step, isRecorded);
    // The payment may have moved on, to its next event.
    if (step === 'succeeded' && delivery.type === 'payment.received')
      this.loops.wake(LoopName.WebhookDelivery);
  }

  private async send(
    delivery: ClaimedDelivery,
    callbackUrl: string,
    secrets: SigningSecrets,
  ): Promise<Attempt> {
    const body = Buffer.from(delivery.body, 'utf8');
    const startedAt = this.clock.now();
    const headers = signatureHeaders(
      {
        id: delivery.eventId,
        type: delivery.type,
        body,
        unixSeconds: Math.floor(startedAt.getTime() / 1000),
      },
      secrets,
    );
    return { url: callbackUrl, startedAt, result: await this.sender.post(callbackUrl, headers, body) };
  }

  /** Null: no key of the ring opens them. An event is never sent unsigned. */
  private findSecrets(sealed: SealedSigningSecrets): SigningSecrets | null {
    try {
      return this.secrets.open(sealed);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }

  private report(delivery: ClaimedDelivery, attempt: Attempt, step: NextStep, isRecorded: boolean): void {
    const { result } = attempt;
    const outcome = result.kind === 'response' ? `HTTP ${result.status}` : result.error;
    this.meters.attempts.add({ outcome: typeof step === 'string' ? step : 'failed' });
    if (step === 'succeeded')
      this.meters.delivery.observe({}, (this.clock.now().getTime() - delivery.eventAt.getTime()) / 1_000);
    const facts = { ...names(delivery), attempt: delivery.attempts + 1, outcome, ...result.timing };
    if (!isRecorded) this.logger.warn(facts, 'webhook answered after its lease had ended; it is sent again');
    else if (step === 'exhausted') this.logger.warn(facts, 'webhook given up');
    else if (step === 'gone') this.logger.warn(facts, 'webhook endpoint paused');
    else this.logger.debug(facts, step === 'succeeded' ? 'webhook delivered' : 'webhook attempt failed');
  }

  /** Our fault or the database's absence; the lease ends by itself, and the delivery is tried again. */
  private reportBroken(delivery: ClaimedDelivery, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.meters.attempts.add({ outcome: 'broken' });
    const isWeather = error instanceof Error && isTransient(error);
    this.logger[isWeather ? 'warn' : 'error'](
      { ...names(delivery), error: text },
      'webhook attempt broke off',
    );
  }
}

function names({ id, eventId, paymentId, applicationId, type }: ClaimedDelivery) {
  return { deliveryId: id, eventId, paymentId, applicationId, event: type };
}
