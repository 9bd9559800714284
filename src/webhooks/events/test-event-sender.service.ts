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
import { InFlightSends } from '../in-flight-sends.js';
import { TEST_HEADER } from './sample-event.js';
import { SignedSender } from '../signed-sender.service.js';
import { type ClaimedTestEvent, TestEventRepository } from './test-event.repository.js';

/** In flight at once in this process; one per application, so that a dead endpoint does not delay other tests. */
const MAX_IN_FLIGHT = 16;

/** Sends the test events that merchants requested: signed like real ones, once each, marked as a test. */
@Injectable()
export class TestEventSender implements BeforeApplicationShutdown {
  private readonly logger = new Logger('TestEvents');
  private readonly sends = new InFlightSends();

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly testEvents: TestEventRepository,
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
    const leaseSeconds = 30 + (2 * this.config.webhooks.timeoutMs) / 1000;
    const claimed = await this.testEvents.claim(freeSlots, newId(this.clock.now()), leaseSeconds);
    for (const event of claimed) this.start(event);
    return claimed.length > 0;
  }

  private start(event: ClaimedTestEvent): void {
    const send = this.send(event).catch((error: unknown) => this.reportBroken(event, error));
    this.sends.start(send, () => this.loops.wake(LoopName.TestEvents));
  }

  /** A bug or a database outage: the lease expires by itself, and the event is sent again. */
  private reportBroken(event: ClaimedTestEvent, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const level = error instanceof Error && isTransient(error) ? 'warn' : 'error';
    this.logger[level]({ deliveryId: event.id, error: text }, 'test event failed unexpectedly');
  }

  private async send(event: ClaimedTestEvent): Promise<void> {
    const { site, isSiteAuthentic } = await this.applications.getById(event.applicationId);
    if (!isSiteAuthentic) return this.testEvents.close(event, 'blocked', UNTRUSTED_SETTINGS);
    if (site.callbackUrl === null) return this.testEvents.close(event, 'skipped', 'no callback URL');
    const sealed = await this.secrets.getSealed(event.applicationId);
    const attempt = await this.sender.send(event, site.callbackUrl, sealed, TEST_HEADER);
    if (!attempt) return this.testEvents.close(event, 'blocked', 'the signing secret cannot be decrypted');
    const { url, startedAt, result } = attempt;
    const response = result.kind === 'response' ? result : null;
    const hasSucceeded = response !== null && response.status >= 200 && response.status <= 299;
    await this.testEvents.finish(event, {
      state: hasSucceeded ? 'succeeded' : 'exhausted',
      error: result.kind === 'failure' ? result.error : null,
      url,
      httpStatus: response?.status ?? null,
      responseBody: response?.body ?? null,
      ...result.timing,
      startedAt,
    });
    const { id: deliveryId, eventId, applicationId } = event;
    const { durationMs } = result.timing;
    this.logger.debug({ deliveryId, eventId, applicationId, durationMs, hasSucceeded }, 'test event sent');
  }
}
