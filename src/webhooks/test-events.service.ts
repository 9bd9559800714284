import { randomUUID } from 'node:crypto';
import { type BeforeApplicationShutdown, Inject, Injectable, Logger } from '@nestjs/common';
import { ApplicationsService } from '../applications/applications.service.js';
import { SigningSecretsService } from '../applications/signing-secrets.service.js';
import { HOW_TO_MAKE_A_SECRET } from '../applications/webhook-secret.pure.js';
import { Clock } from '../platform/runtime/clock.pure.js';
import { stringifyExact } from '../platform/http/exact-json.pure.js';
import { ConflictError } from '../platform/errors/errors.pure.js';
import type { EventType } from '../applications/event-types.pure.js';
import { newId } from '../platform/runtime/ids.pure.js';
import { UnsealError } from '../platform/security/keyring.js';
import { PollingLoops } from '../platform/runtime/polling-loop.js';
import { LoopName } from '../platform/runtime/loop-name.pure.js';
import { isTransient, Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { PaymentPresenter } from '../payments/payment-presenter.service.js';
import type { DeliveryRecord } from './webhook-log.dto.js';
import { WebhookLogService } from './webhook-log.service.js';
import { WebhookSender } from './webhook-sender.js';
import { signatureHeaders, type SigningSecrets } from './webhook-signature.pure.js';
import { samplePayment, sampleRefund, TEST_HEADER } from './sample-event.js';

/** Under way at once; of one application it is one, so that nobody's dead endpoint holds up the others' tests. */
const MAX_IN_FLIGHT = 16;

interface ClaimedTest {
  id: string;
  applicationId: string;
  eventId: string;
  type: string;
  body: string;
  leaseToken: string;
}

const INSERT = `
  insert into webhook_tests (id, application_id, user_id, event_id, payment_id, type, body, created_at)
  values ($1, $2, $3, $4, $5, $6, $7, $8)`;
/** The oldest of each application that has none under way. $1 limit, $2 lease token, $3 lease seconds. */
const CLAIM = `
  with oldest as (
    select distinct on (t.application_id) t.id from webhook_tests t
    where t.state = 'pending' and not exists (
      select from webhook_tests busy where busy.application_id = t.application_id and busy.state = 'pending'
        and busy.lease_until >= clock_timestamp())
    order by t.application_id, t.created_at, t.id
  ), claimed as (
    select t.id from webhook_tests t join oldest on oldest.id = t.id
    where t.state = 'pending' and (t.lease_until is null or t.lease_until < clock_timestamp())
    limit $1 for no key update of t skip locked
  )
  update webhook_tests t set lease_token = $2, lease_until = clock_timestamp() + make_interval(secs => $3)
  from claimed where t.id = claimed.id
  returning t.id, t.application_id as "applicationId", t.event_id as "eventId", t.type, t.body,
    t.lease_token as "leaseToken"`;
/** Nothing when the lease is another holder's by now. */
const FINISH = `
  update webhook_tests set state = $3, error = $4, url = $5, http_status = $6, response_body = $7, connect_ms = $8,
    first_byte_ms = $9, duration_ms = $10, started_at = $11, lease_token = null, lease_until = null
  where id = $1 and lease_token = $2`;

/** As {@link FINISH}, of one that was not sent. */
const CLOSE = `
  update webhook_tests set state = $3, error = $4, lease_token = null, lease_until = null
  where id = $1 and lease_token = $2`;

/** Of a secret that looks encoded and is not (specification/webhooks.md#secrets). */
const MALFORMED_SECRET =
  'The secret begins with whsec_, but no padded standard base64 follows. Webhooks are signed with its text as it stands, ' +
  `which published verifiers refuse. Save a new secret: ${HOW_TO_MAKE_A_SECRET}.`;

/** A test event that was left to be sent, and what is known to be wrong already. */
export interface CreatedTest {
  delivery: DeliveryRecord;
  /** For people, in English. */
  warnings: string[];
}

/** Sends events that never happened, when a merchant asks for one: signed like others, once, marked as a test. */
@Injectable()
export class TestEventsService implements BeforeApplicationShutdown {
  private readonly logger = new Logger('WebhookTests');
  private readonly sends = new Set<Promise<void>>();
  private turn: Promise<boolean> = Promise.resolve(false);
  private isStopping = false;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly applications: ApplicationsService,
    private readonly secrets: SigningSecretsService,
    private readonly presenter: PaymentPresenter,
    private readonly sender: WebhookSender,
    private readonly log: WebhookLogService,
    private readonly loops: PollingLoops,
  ) {}

  /**
   * Leaves a test event to be sent as soon as may be, also to an endpoint that is paused.
   * @throws ConflictError without a callback URL
   */
  async create(userId: string, applicationId: string, type: EventType): Promise<CreatedTest> {
    const { id, site } = await this.applications.getOwned(userId, applicationId);
    if (site.callbackUrl === null)
      throw new ConflictError('invalid_state_transition', 'The payment application has no callbackUrl');
    const now = this.clock.now();
    const [testId, eventId] = [newId(now), newId(now)];
    const wish = { id: eventId, type, paymentId: randomUUID(), userId, applicationId: id, now };
    const refund = sampleRefund(wish, randomUUID(), this.config.baseUrl);
    const { payment, ...head } = this.presenter.event(eventId, type, samplePayment(wish), now, null);
    const body = stringifyExact({ ...head, test: true, payment, ...(refund && { refund }) });
    await this.sql.query(INSERT, [testId, id, userId, eventId, wish.paymentId, type, body, now]);
    this.loops.wake(LoopName.TestEvents);
    const warnings = (await this.secrets.isMalformed(id)) ? [MALFORMED_SECRET] : [];
    return { delivery: await this.log.get(userId, id, testId), warnings };
  }

  /** One turn to its end: what it started has been answered and recorded. True when more may be waiting. */
  async runOnce(): Promise<boolean> {
    const isMore = await this.poll();
    const wasBusy = this.sends.size > 0;
    await Promise.all(this.sends);
    return isMore || wasBusy;
  }

  /** One turn without waiting for answers. The end of every try wakes the loop for the next one. */
  async poll(): Promise<boolean> {
    if (this.isStopping) return false;
    this.turn = this.takeTurn();
    return this.turn;
  }

  /** Takes nothing new, and lets what is under way end; before the sender's connections and the database go. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isStopping = true;
    await Promise.allSettled([this.turn]);
    await Promise.all(this.sends);
  }

  private async takeTurn(): Promise<boolean> {
    const free = MAX_IN_FLIGHT - this.sends.size;
    if (free <= 0) return false;
    const leaseSeconds = 30 + (2 * this.config.webhooks.timeoutMs) / 1000;
    const token = newId(this.clock.now());
    const claimed = await this.sql.query<ClaimedTest>(CLAIM, [free, token, leaseSeconds]);
    for (const test of claimed) this.start(test);
    return claimed.length > 0;
  }

  private start(test: ClaimedTest): void {
    const send = this.send(test)
      .catch((error: unknown) => {
        // Our fault or the database's absence; the lease ends by itself, and the test is sent again.
        const text = error instanceof Error ? error.message : String(error);
        const isWeather = error instanceof Error && isTransient(error);
        this.logger[isWeather ? 'warn' : 'error'](
          { deliveryId: test.id, error: text },
          'test webhook broke off',
        );
      })
      .finally(() => {
        this.sends.delete(send);
        this.loops.wake(LoopName.TestEvents);
      });
    this.sends.add(send);
  }

  private async send(test: ClaimedTest): Promise<void> {
    const { site } = await this.applications.getById(test.applicationId);
    if (site.callbackUrl === null) return this.close(test, 'skipped', 'no callback URL');
    const secrets = await this.findSecrets(test.applicationId);
    if (!secrets) return this.close(test, 'blocked', 'the signing secret cannot be decrypted');
    const body = Buffer.from(test.body, 'utf8');
    const startedAt = this.clock.now();
    const unixSeconds = Math.floor(startedAt.getTime() / 1000);
    const headers = signatureHeaders({ id: test.eventId, type: test.type, body, unixSeconds }, secrets);
    const result = await this.sender.post(site.callbackUrl, { ...headers, ...TEST_HEADER }, body);
    const { connectMs, firstByteMs, durationMs } = result.timing;
    const isAnswered = result.kind === 'response';
    const isTaken = isAnswered && result.status >= 200 && result.status <= 299;
    await this.sql.query(FINISH, [
      test.id,
      test.leaseToken,
      isTaken ? 'succeeded' : 'exhausted',
      isAnswered ? null : result.error,
      site.callbackUrl,
      isAnswered ? result.status : null,
      isAnswered ? result.body : null,
      connectMs,
      firstByteMs,
      durationMs,
      startedAt,
    ]);
    const { id: deliveryId, eventId, applicationId } = test;
    this.logger.debug({ deliveryId, eventId, applicationId, durationMs, isTaken }, 'test webhook sent');
  }

  private async close(test: ClaimedTest, state: 'skipped' | 'blocked', error: string): Promise<void> {
    await this.sql.query(CLOSE, [test.id, test.leaseToken, state, error]);
  }

  /** Null: no key of the ring opens them. A test, too, is never sent unsigned. */
  private async findSecrets(applicationId: string): Promise<SigningSecrets | null> {
    try {
      return await this.secrets.get(applicationId);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
