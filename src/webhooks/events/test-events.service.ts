import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { SigningSecretsService } from '../../applications/signing-secrets.service.js';
import { HOW_TO_MAKE_A_SECRET } from '../../applications/webhook-secret.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ConflictError } from '../../platform/kernel/errors/errors.pure.js';
import type { EventType } from '../../applications/event-types.pure.js';
import { newId } from '../../platform/kernel/ids.pure.js';
import { CONFIG, type Config } from '../../config.js';
import { PaymentPresenter } from '../../payments/payment-presenter.service.js';
import type { WebhookTestContract } from './test-event.contract.js';
import { DeliveriesService } from '../deliveries.service.js';
import { toDelivery } from '../webhook-log-view.js';
import { WebhookLogService } from '../webhook-log.service.js';
import { sampleChange, samplePayment, sampleRefund } from './sample-event.js';

/** For a secret that looks base64-encoded and is not (specification/webhooks.md#secrets). */
const MALFORMED_SECRET =
  'The secret begins with whsec_, but no padded standard base64 follows. Webhooks are signed with its text as it stands, ' +
  `which published verifiers refuse. Save a new secret: ${HOW_TO_MAKE_A_SECRET}.`;

/** Creates test events at a merchant's request. */
@Injectable()
export class TestEventsService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly deliveries: DeliveriesService,
    private readonly applications: ApplicationsService,
    private readonly secrets: SigningSecretsService,
    private readonly presenter: PaymentPresenter,
    private readonly log: WebhookLogService,
  ) {}

  /**
   * Queues a test event for immediate delivery, even to a paused endpoint.
   * @throws ConflictError without a callback URL
   */
  async create(userId: string, applicationId: string, type: EventType): Promise<WebhookTestContract> {
    const { id, site } = await this.applications.getOwned(userId, applicationId);
    if (site.callbackUrl === null)
      throw new ConflictError('invalid_state_transition', 'The payment application has no callbackUrl');
    const now = this.clock.now();
    const [testId, eventId] = [newId(now), newId(now)];
    const sample = { id: eventId, type, paymentId: randomUUID(), userId, applicationId: id, now };
    const refund = sampleRefund(sample, randomUUID(), this.config.baseUrl);
    const state = samplePayment(sample);
    const change = type === 'payment.updated' ? this.presenter.change(state, sampleChange(state)) : null;
    await this.deliveries.createTest(testId, {
      id: eventId,
      userId,
      applicationId: id,
      type,
      body: this.presenter.event({ id: eventId, type, createdAt: now }, state, {
        test: true,
        ...(refund && { refund }),
        ...(change && { change }),
      }),
      createdAt: now,
      testPaymentId: sample.paymentId,
    });
    const warnings = (await this.secrets.isMalformed(id)) ? [MALFORMED_SECRET] : [];
    return { ...toDelivery(await this.log.get(userId, id, testId)), warnings };
  }
}
