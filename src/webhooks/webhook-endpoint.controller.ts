import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { Idempotent } from '../platform/idempotency/idempotency.js';
import { PageQuery } from '../platform/http/pagination.js';
import { UnacknowledgedPaymentsService } from './unacknowledged-payments.service.js';
import { PauseEndpointDto, TestWebhookDto, toEndpointDto } from './webhook-endpoint.dto.js';
import { WebhookEndpointService } from './webhook-endpoint.service.js';
import { toDeliveryDto } from './webhook-log.dto.js';
import { TestEventsService } from './test-events.service.js';

/** Endpoint, test events and unacknowledged payments: `/api/payment-applications/{id}/…`. */
@Controller('api/payment-applications/:applicationId')
@OAuthOnly()
export class WebhookEndpointController {
  constructor(
    private readonly endpoint: WebhookEndpointService,
    private readonly tests: TestEventsService,
    private readonly unacknowledged: UnacknowledgedPaymentsService,
  ) {}

  @Get('webhook-endpoint')
  async get(@CurrentPrincipal() { userId }: Principal, @Param('applicationId') applicationId: string) {
    return toEndpointDto(await this.endpoint.get(userId, applicationId));
  }

  @Post('webhook-endpoint/pause')
  @HttpCode(200)
  async pause(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Body() { reason = null }: PauseEndpointDto,
  ) {
    return toEndpointDto(await this.endpoint.pause(userId, applicationId, reason));
  }

  @Post('webhook-endpoint/resume')
  @HttpCode(200)
  async resume(@CurrentPrincipal() { userId }: Principal, @Param('applicationId') applicationId: string) {
    return toEndpointDto(await this.endpoint.resume(userId, applicationId));
  }

  @Post('webhook-test')
  @Idempotent()
  @HttpCode(202)
  async test(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Body() { event }: TestWebhookDto,
  ) {
    const { delivery, warnings } = await this.tests.create(userId, applicationId, event);
    return { ...toDeliveryDto(delivery), warnings };
  }

  @Get('unacknowledged-payments')
  listUnacknowledged(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Query() query: PageQuery,
  ) {
    return this.unacknowledged.list(userId, applicationId, query);
  }
}
