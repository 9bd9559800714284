import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { UNTRUSTED_SETTINGS } from '../../applications/settings-integrity.pure.js';
import { SigningSecretsService } from '../../applications/signing-secrets.service.js';
import { CONFIG, type Config } from '../../config.js';
import { isTransient } from '../../platform/database/database-errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { ApplicationEventRepository, type ClaimedApplicationEvent } from './application-event.repository.js';
import { InFlightSends } from '../in-flight-sends.js';
import { type AttemptOutcome, decideNextStep } from '../retry-schedule.pure.js';
import { SignedSender } from '../signed-sender.service.js';
import { outcomeOf } from '../webhook-sender.js';

/** In flight at once in this process; one per application. These events are rare. */
const MAX_IN_FLIGHT = 16;
const NO_SECRET = 'the signing secret cannot be decrypted';

/** Sends events that are about applications, at least once, with the retries of payments' events. */
@Injectable()
export class ApplicationEventSender implements BeforeApplicationShutdown {
  private readonly logger = new Logger('ApplicationEvents');
  private readonly sends = new InFlightSends();
  /** Randomness of the jitter, from 0 to 1; replaced in tests. */
  random: () => number = Math.random;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly events: ApplicationEventRepository,
    private readonly applications: ApplicationsService,
    private readonly secrets: SigningSecretsService,
    private readonly sender: SignedSender,
    private readonly loops: PollingLoops,
  ) {}

  /** Polls once and waits until everything it sent is recorded. True if more may be waiting. */
  runOnce(): Promise<boolean> {
    return this.sends.pollAndWait(() => this.poll());
  }

  /** Claims and sends without waiting for responses; each finished attempt wakes the loop. */
  poll(): Promise<boolean> {
    return this.sends.poll(() => this.claimAndSend());
  }

  /** Claims nothing new and waits for attempts in flight. */
  beforeApplicationShutdown(): Promise<void> {
    return this.sends.stop();
  }

  private async claimAndSend(): Promise<boolean> {
    const freeSlots = MAX_IN_FLIGHT - this.sends.size;
    if (freeSlots <= 0) return false;
    const now = this.clock.now();
    const leaseSeconds = 30 + (2 * this.config.webhooks.timeoutMs) / 1000;
    const claimed = await this.events.claim(freeSlots, newId(now), leaseSeconds, now);
    for (const event of claimed) this.start(event);
    return claimed.length > 0;
  }

  private start(event: ClaimedApplicationEvent): void {
    const send = this.send(event).catch((error: unknown) => this.reportBroken(event, error));
    this.sends.start(send, () => this.loops.wake(LoopName.ApplicationEvents));
  }

  /** A bug or a database outage: the lease expires by itself, and the event is sent again. */
  private reportBroken({ id: eventId }: ClaimedApplicationEvent, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const level = error instanceof Error && isTransient(error) ? 'warn' : 'error';
    this.logger[level]({ eventId, error: text }, 'application event failed unexpectedly');
  }

  private async send(event: ClaimedApplicationEvent): Promise<void> {
    const { id: eventId, applicationId, type, body } = event;
    const { site, isSiteAuthentic } = await this.applications.getById(applicationId);
    if (!isSiteAuthentic)
      return this.record(event, this.clock.now(), { kind: 'failure' }, UNTRUSTED_SETTINGS);
    if (site.callbackUrl === null) {
      await this.events.record(event, {
        state: 'skipped',
        nextAttemptAt: null,
        lastError: 'no callback URL',
      });
      return;
    }
    const sealed = await this.secrets.getSealed(applicationId);
    const attempt = await this.sender.send({ eventId, type, body }, site.callbackUrl, sealed);
    const startedAt = attempt?.startedAt ?? this.clock.now();
    if (!attempt) return this.record(event, startedAt, { kind: 'failure' }, NO_SECRET);
    return this.record(event, startedAt, attempt.result, outcomeOf(attempt.result));
  }

  private async record(
    event: ClaimedApplicationEvent,
    startedAt: Date,
    outcome: AttemptOutcome,
    error: string,
  ): Promise<void> {
    const { id: eventId, applicationId, type, deferredSeconds } = event;
    const attempts = event.attempts + 1;
    const firstAttemptAt = event.firstAttemptAt ?? startedAt;
    const step = decideNextStep(
      { number: attempts, firstAttemptAt, deferredSeconds, now: this.clock.now(), outcome },
      this.config.webhooks.retryScheduleSeconds,
      this.random,
    );
    const isDone = step === 'succeeded';
    const next =
      typeof step === 'string'
        ? { state: isDone ? ('succeeded' as const) : ('exhausted' as const), nextAttemptAt: null }
        : { state: 'pending' as const, ...step };
    const lastError = isDone ? null : error;
    const isRecorded = await this.events.record(event, { ...next, attempts, firstAttemptAt, lastError });
    const facts = { eventId, applicationId, event: type, attempt: attempts, outcome: error };
    if (!isRecorded)
      this.logger.warn(facts, 'lease expired before the attempt was recorded; it will be sent again');
    else if (isDone) this.logger.debug(facts, 'application event delivered');
    else if (typeof step === 'string') this.logger.warn(facts, 'attempts of an application event exhausted');
    else this.logger.debug(facts, 'attempt of an application event failed');
  }
}
