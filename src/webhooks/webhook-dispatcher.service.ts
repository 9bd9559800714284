import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { Clock } from '../common/clock.js';
import { UnsealError } from '../common/keyring.js';
import { PollingLoops } from '../common/polling-loop.js';
import { CONFIG, type Config } from '../config.js';
import { type Attempt, type ClaimedDelivery, DeliveriesService } from './deliveries.service.js';
import { decideNextStep, type NextStep } from './retry-schedule.js';
import { WebhookSender } from './webhook-sender.js';
import { signatureHeaders, type SigningSecrets } from './webhook-signature.js';

/** Name of the loop; whoever commits an event may wake it. */
export const WEBHOOKS_LOOP = 'webhooks';
/**
 * Bulkheads: tries under way in this process, and of those to one endpoint. The first is high, because endpoints
 * that hang hold their share of it for the whole deadline.
 */
const MAX_IN_FLIGHT = 512;
const MAX_IN_FLIGHT_PER_ENDPOINT = 4;
/** Claimed in one turn, so that a backlog does not fill the database's connections all at once. */
const CLAIM_BATCH = 64;

/** Brings events to the merchants' endpoints, at least once and in order per payment (api.md G4). */
@Injectable()
export class WebhookDispatcher implements BeforeApplicationShutdown {
  private readonly logger = new Logger('WebhookDispatcher');
  private readonly sends = new Set<Promise<void>>();
  private readonly inFlight = new Map<string, number>();
  private turn: Promise<boolean> = Promise.resolve(false);
  private isStopping = false;
  /** Chance for the jitter, from 0 to 1; tests put their own in its place. */
  random: () => number = Math.random;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly deliveries: DeliveriesService,
    private readonly applications: ApplicationsService,
    private readonly sender: WebhookSender,
    private readonly loops: PollingLoops,
  ) {}

  /** One turn to its end: what it started has been answered and recorded. True when more may be waiting. */
  async runOnce(): Promise<boolean> {
    const isMore = await this.poll();
    const wasBusy = this.sends.size > 0;
    await Promise.all(this.sends);
    return isMore || wasBusy;
  }

  /**
   * One turn without waiting for answers, so that a slow endpoint delays nobody: dispatches new events, claims what
   * is due and starts sending. The end of every try wakes the loop for the next one.
   */
  async poll(): Promise<boolean> {
    if (this.isStopping) return false;
    this.turn = this.takeTurn();
    return this.turn;
  }

  /** Looks again at parked deliveries: a restored key, or a new secret, sets them free. Never more to do at once. */
  async releaseBlocked(): Promise<boolean> {
    for (const applicationId of await this.deliveries.blockedApplications()) {
      if (!(await this.findSecrets(applicationId))) continue;
      const count = await this.deliveries.releaseBlocked(applicationId);
      this.logger.log({ applicationId, count }, 'blocked webhooks released');
    }
    return false;
  }

  /** Takes nothing new, and lets what is under way end; before the database goes. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled([this.turn]);
    await Promise.all(this.sends);
    await this.sender.close();
  }

  private async takeTurn(): Promise<boolean> {
    const dispatched = await this.deliveries.dispatchEvents();
    const free = Math.min(CLAIM_BATCH, MAX_IN_FLIGHT - this.sends.size);
    const claimed =
      free > 0 ? await this.deliveries.claim(free, MAX_IN_FLIGHT_PER_ENDPOINT, this.inFlight) : [];
    for (const delivery of claimed) this.start(delivery);
    return dispatched > 0 || claimed.length > 0;
  }

  private start(delivery: ClaimedDelivery): void {
    const { applicationId } = delivery;
    this.inFlight.set(applicationId, (this.inFlight.get(applicationId) ?? 0) + 1);
    const send = this.deliver(delivery)
      .catch((error: unknown) => this.reportBroken(delivery, error))
      .finally(() => {
        const left = (this.inFlight.get(applicationId) ?? 1) - 1;
        if (left > 0) this.inFlight.set(applicationId, left);
        else this.inFlight.delete(applicationId);
        this.sends.delete(send);
        this.loops.wake(WEBHOOKS_LOOP);
      });
    this.sends.add(send);
  }

  private async deliver(delivery: ClaimedDelivery): Promise<void> {
    if (delivery.isSuperseded) {
      await this.deliveries.close(delivery, 'superseded', 'a reorganisation of the chain took it back');
      return;
    }
    const { site } = await this.applications.getById(delivery.applicationId);
    if (site.callbackUrl === null) {
      await this.deliveries.close(delivery, 'skipped', 'no callback URL');
      return;
    }
    const secrets = await this.findSecrets(delivery.applicationId);
    if (!secrets) {
      await this.deliveries.close(delivery, 'blocked', 'the signing secret cannot be decrypted');
      this.logger.error(names(delivery), 'webhook blocked: the signing secret cannot be decrypted');
      return;
    }
    const attempt = await this.send(delivery, site.callbackUrl, secrets);
    const step = decideNextStep(
      {
        number: delivery.attempts + 1,
        firstAttemptAt: delivery.firstAttemptAt ?? attempt.startedAt,
        now: this.clock.now(),
        outcome: attempt.result,
      },
      this.config.webhooks.retryScheduleSeconds,
      this.random,
    );
    const isRecorded = await this.deliveries.recordAttempt(delivery, attempt, step);
    this.report(delivery, attempt, step, isRecorded);
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
    const start = performance.now();
    const result = await this.sender.post(callbackUrl, headers, body);
    return { url: callbackUrl, startedAt, durationMs: Math.round(performance.now() - start), result };
  }

  /** Null: no key of the ring opens them. An event is never sent unsigned. */
  private async findSecrets(applicationId: string): Promise<SigningSecrets | null> {
    try {
      return await this.applications.getSigningSecrets(applicationId);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }

  private report(delivery: ClaimedDelivery, attempt: Attempt, step: NextStep, isRecorded: boolean): void {
    const { result, durationMs } = attempt;
    const outcome = result.kind === 'response' ? `HTTP ${result.status}` : result.error;
    const facts = { ...names(delivery), attempt: delivery.attempts + 1, outcome, durationMs };
    if (!isRecorded) this.logger.warn(facts, 'webhook answered after its lease had ended; it is sent again');
    else if (step === 'exhausted') this.logger.warn(facts, 'webhook given up');
    else if (step === 'gone') this.logger.warn(facts, 'webhook endpoint paused');
    else this.logger.debug(facts, step === 'succeeded' ? 'webhook delivered' : 'webhook attempt failed');
  }

  /** Our fault or the database's; the lease ends by itself, and the delivery is tried again. */
  private reportBroken(delivery: ClaimedDelivery, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    this.logger.error({ ...names(delivery), error: text }, 'webhook attempt broke off');
  }
}

function names({ id, eventId, paymentId, applicationId, type }: ClaimedDelivery) {
  return { deliveryId: id, eventId, paymentId, applicationId, event: type };
}
