import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { data, Operation, page, PathParameters } from '../platform/web/contract/operation.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Idempotent, IdempotentRequest, type Once } from '../platform/web/idempotency/idempotency.js';
import { Page, PageQuery } from '../platform/web/http/pagination.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import {
  DELIVERY_ID,
  DUE,
  ListDeliveriesQuery,
  ReplayWebhooksContract,
  WebhookAttemptContract,
  WebhookDeliveryContract,
  WebhookReplayContract,
} from './webhook-delivery.contract.js';
import { toAttempt, toDelivery } from './webhook-log-view.js';
import { WebhookLogService } from './webhook-log.service.js';

const TAG = 'Webhook deliveries';

/** `/api/payment-applications/{id}/webhook-deliveries…` (specification/webhooks.md#delivery-log). */
@Controller('api/payment-applications/:id/webhook-deliveries')
@OAuthOnly('webhooks')
@PathParameters({ id: APPLICATION_ID, deliveryId: DELIVERY_ID })
export class WebhookLogController {
  constructor(private readonly log: WebhookLogService) {}

  @Get()
  @Operation({
    id: 'listWebhookDeliveries',
    tag: TAG,
    summary: 'List webhook deliveries',
    description: 'Newest first; kept for 30 days.',
    returns: page(WebhookDeliveryContract, 'One page of deliveries.'),
    errors: ['payment_application_not_found'],
  })
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<Page<WebhookDeliveryContract>> {
    const { items, total } = await this.log.list(userId, applicationId, query);
    return Page.of(items.map(toDelivery), total, query);
  }

  @Post('replay')
  @HttpCode(202)
  @Operation({
    id: 'replayWebhooks',
    tag: TAG,
    summary: 'Deliver everything that failed again',
    description:
      'Makes deliveries due that wait for another attempt or were given up, oldest first and at most 1,000 at a time: ' +
      'while `hasMore` is true, repeat the request with `after` set to `lastDeliveryId`. The events of a payment are ' +
      'still sent one after the other.',
    returns: data(WebhookReplayContract, 'How many are due now.'),
    errors: ['payment_application_not_found'],
  })
  replay(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @DraftBody(ReplayWebhooksContract) draft: Draft<ReplayWebhooksContract>,
  ): Promise<Once<WebhookReplayContract>> {
    return request.once(draft, () => this.log.replay(userId, applicationId, draft));
  }

  @Get(':deliveryId')
  @Operation({
    id: 'getWebhookDelivery',
    tag: TAG,
    summary: 'Get a webhook delivery',
    description:
      'Its event, its status, and when it was or will be sent. Every request and response is under `attempts`.',
    returns: data(WebhookDeliveryContract, 'The delivery.'),
    errors: ['payment_application_not_found'],
  })
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<WebhookDeliveryContract> {
    return toDelivery(await this.log.get(userId, applicationId, deliveryId));
  }

  @Get(':deliveryId/attempts')
  @Operation({
    id: 'listWebhookAttempts',
    tag: TAG,
    summary: 'List the attempts of a webhook delivery',
    description: 'Newest first: each request, its response, and how long it took.',
    returns: page(WebhookAttemptContract, 'One page of attempts.'),
    errors: ['payment_application_not_found'],
  })
  async listAttempts(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @Param('deliveryId') deliveryId: string,
    @Query() query: PageQuery,
  ): Promise<Page<WebhookAttemptContract>> {
    const { items, total } = await this.log.listAttempts(userId, applicationId, deliveryId, query);
    return Page.of(items.map(toAttempt), total, query);
  }

  @Post(':deliveryId/redeliver')
  @HttpCode(202)
  @Operation({
    id: 'redeliverWebhook',
    tag: TAG,
    summary: 'Deliver a webhook again',
    description: 'The same bytes, with new signatures, as soon as earlier events of the payment have ended.',
    returns: data(WebhookDeliveryContract, 'The delivery, which will be sent again.', { example: DUE }),
    errors: ['payment_application_not_found', 'invalid_state_transition'],
  })
  redeliver(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @Param('deliveryId') deliveryId: string,
  ): Promise<Once<WebhookDeliveryContract>> {
    return request.once(null, async () =>
      toDelivery(await this.log.redeliver(userId, applicationId, deliveryId)),
    );
  }
}
