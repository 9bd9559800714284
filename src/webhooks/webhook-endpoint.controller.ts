import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { data, Operation, page, PathParameters } from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Idempotent, IdempotentRequest, type Once } from '../platform/web/idempotency/idempotency.js';
import { Page, PageQuery } from '../platform/web/http/pagination.js';
import { TestWebhookContract, UNSENT, WebhookTestContract } from './events/test-event.contract.js';
import { TestEventsService } from './events/test-events.service.js';
import { UnacknowledgedPaymentContract } from './unacknowledged-payment.contract.js';
import { UnacknowledgedPaymentsService } from './unacknowledged-payments.service.js';
import { PAUSED, PauseWebhooksContract, WebhookEndpointContract } from './webhook-endpoint.contract.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';

const TAG = 'Webhook deliveries';

/** Endpoint, test events and unacknowledged payments: `/api/payment-applications/{id}/…`. */
@Controller('api/payment-applications/:id')
@OAuthOnly('webhooks')
@PathParameters({ id: APPLICATION_ID })
export class WebhookEndpointController {
  constructor(
    private readonly endpoint: WebhookEndpointService,
    private readonly tests: TestEventsService,
    private readonly unacknowledged: UnacknowledgedPaymentsService,
  ) {}

  @Get('webhook-endpoint')
  @Operation({
    id: 'getWebhookEndpoint',
    tag: TAG,
    summary: 'Get the state of the webhook endpoint',
    description: 'Whether deliveries are sent or paused, and how the last ones ended.',
    returns: data(WebhookEndpointContract, 'The endpoint.'),
    errors: ['payment_application_not_found'],
  })
  get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
  ): Promise<WebhookEndpointContract> {
    return this.endpoint.get(userId, applicationId);
  }

  @Post('webhook-endpoint/pause')
  @HttpCode(200)
  @Operation({
    id: 'pauseWebhooks',
    tag: TAG,
    summary: 'Pause webhooks',
    description:
      'Attempts in flight end; new events are kept, in order. Payments stay RECEIVED meanwhile. Pausing again returns ' +
      'the same.',
    returns: data(WebhookEndpointContract, 'The endpoint, paused.', { example: PAUSED }),
    errors: ['payment_application_not_found'],
  })
  pause(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @Body() { reason = null }: PauseWebhooksContract,
  ): Promise<WebhookEndpointContract> {
    return this.endpoint.pause(userId, applicationId, reason);
  }

  @Post('webhook-endpoint/resume')
  @HttpCode(200)
  @Operation({
    id: 'resumeWebhooks',
    tag: TAG,
    summary: 'Resume webhooks',
    description: 'Also after a 410. All waiting deliveries are sent. Resuming again returns the same.',
    returns: data(WebhookEndpointContract, 'The endpoint, no longer paused.'),
    errors: ['payment_application_not_found'],
  })
  resume(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
  ): Promise<WebhookEndpointContract> {
    return this.endpoint.resume(userId, applicationId);
  }

  @Post('webhook-endpoint/end-previous-secret')
  @HttpCode(200)
  @Operation({
    id: 'endPreviousSecret',
    tag: TAG,
    summary: 'End the previous secret',
    description:
      'Once your server has the new secret: only that one signs from now on, before the 24 hours are over, and it can be ' +
      'changed again. A server that has the previous one refuses webhooks from then on. Ending it again returns the same.',
    returns: data(WebhookEndpointContract, 'The endpoint.', { example: { previousSecretUntil: null } }),
    errors: ['payment_application_not_found'],
  })
  endPreviousSecret(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
  ): Promise<WebhookEndpointContract> {
    return this.endpoint.endPreviousSecret(userId, applicationId);
  }

  @Post('webhook-test')
  @HttpCode(202)
  @Operation({
    id: 'testWebhook',
    tag: TAG,
    summary: 'Send a test event',
    description:
      'Signed like a real one, and sent once, even while the endpoint is paused. The body has `"test":true`, and the ' +
      'request the header `X-PaymentService-Test`; its payment does not exist and is in no list and no feed. The ' +
      'outcome is in the log: `GET …/webhook-deliveries?test=true`.',
    returns: data(WebhookTestContract, 'The test event, which is sent at once.', { example: UNSENT }),
    errors: ['payment_application_not_found', 'invalid_state_transition'],
  })
  test(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @DraftBody(TestWebhookContract) draft: Draft<TestWebhookContract>,
  ): Promise<Once<WebhookTestContract>> {
    return request.once(draft, async () => this.tests.create(userId, applicationId, draft.finish().event));
  }

  @Get('unacknowledged-payments')
  @Operation({
    id: 'listUnacknowledgedPayments',
    tag: TAG,
    summary: 'List payments that the shop has not acknowledged',
    description:
      'RECEIVED, without a 2xx to `payment.received` so far: the money has arrived, and the shop may not know it. ' +
      'Longest waiting first.',
    returns: page(UnacknowledgedPaymentContract, 'One page of payments.'),
    errors: ['payment_application_not_found'],
  })
  listUnacknowledged(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') applicationId: string,
    @Query() query: PageQuery,
  ): Promise<Page<UnacknowledgedPaymentContract>> {
    return this.unacknowledged.list(userId, applicationId, query);
  }
}
