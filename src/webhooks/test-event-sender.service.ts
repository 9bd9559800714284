import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { SigningSecretsService } from '../applications/signing-secrets.service.js';
import { CONFIG, type Config } from '../config.js';
import { isTransient } from '../platform/database/sql.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { UnsealError } from '../platform/security/keyring.js';
import { TEST_HEADER } from './sample-event.js';
import { type ClaimedTestEvent, TestEventRepository } from './test-event.repository.js';
import { WebhookSender } from './webhook-sender.js';
import { signatureHeaders, type SigningSecrets } from './webhook-signature.pure.js';

/** In flight at once in this process; one per application, so that a dead endpoint does not delay other tests. */
const MAX_IN_FLIGHT = 16;

/** Sends the test events that merchants requested: signed like real ones, once each, marked as a test. */
@Injectable()
export class TestEventSender implements BeforeApplicationShutdown {
  private readonly logger = new Logger('TestEvents');
  private readonly sends = new Set<Promise<void>>();
  private polling: Promise<boolean> = Promise.resolve(false);
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly testEvents: TestEventRepository,
    private readonly applications: ApplicationsService,
    private readonly secrets: SigningSecretsService,
    private readonly sender: WebhookSender,
    private readonly loops: PollingLoops,
  ) {}

  /** Polls once and waits until everything it sent is recorded. True if more may be waiting. */
  async runOnce(): Promise<boolean> {
    const isMore = await this.poll();
    const wasBusy = this.sends.size > 0;
    await Promise.all(this.sends);
    return isMore || wasBusy;
  }

  /** Claims and sends without waiting for responses; each finished attempt wakes the loop. */
  async poll(): Promise<boolean> {
    if (this.isStopping) return false;
    this.polling = this.claimAndSend();
    return this.polling;
  }

  /** Claims nothing new and waits for attempts in flight, before connections and the database are closed. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled([this.polling]);
    await Promise.all(this.sends);
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
    const send = this.send(event)
      .catch((error: unknown) => this.reportBroken(event, error))
      .finally(() => {
        this.sends.delete(send);
        this.loops.wake(LoopName.TestEvents);
      });
    this.sends.add(send);
  }

  /** A bug or a database outage: the lease expires by itself, and the event is sent again. */
  private reportBroken(event: ClaimedTestEvent, error: unknown): void {
    const text = error instanceof Error ? error.message : String(error);
    const level = error instanceof Error && isTransient(error) ? 'warn' : 'error';
    this.logger[level]({ deliveryId: event.id, error: text }, 'test event failed unexpectedly');
  }

  private async send(event: ClaimedTestEvent): Promise<void> {
    const { site } = await this.applications.getById(event.applicationId);
    if (site.callbackUrl === null) return this.testEvents.close(event, 'skipped', 'no callback URL');
    const secrets = await this.findSecrets(event.applicationId);
    if (!secrets) return this.testEvents.close(event, 'blocked', 'the signing secret cannot be decrypted');
    const body = Buffer.from(event.body, 'utf8');
    const startedAt = this.clock.now();
    const unixSeconds = Math.floor(startedAt.getTime() / 1000);
    const headers = signatureHeaders({ id: event.eventId, type: event.type, body, unixSeconds }, secrets);
    const result = await this.sender.post(site.callbackUrl, { ...headers, ...TEST_HEADER }, body);
    const response = result.kind === 'response' ? result : null;
    const hasSucceeded = response !== null && response.status >= 200 && response.status <= 299;
    await this.testEvents.finish(event, {
      state: hasSucceeded ? 'succeeded' : 'exhausted',
      error: result.kind === 'failure' ? result.error : null,
      url: site.callbackUrl,
      httpStatus: response?.status ?? null,
      responseBody: response?.body ?? null,
      ...result.timing,
      startedAt,
    });
    const { id: deliveryId, eventId, applicationId } = event;
    const { durationMs } = result.timing;
    this.logger.debug({ deliveryId, eventId, applicationId, durationMs, hasSucceeded }, 'test event sent');
  }

  /** Null: no key of the ring decrypts them. Test events are not sent unsigned either. */
  private async findSecrets(applicationId: string): Promise<SigningSecrets | null> {
    try {
      return await this.secrets.get(applicationId);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
