import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { Idempotent } from '../platform/idempotency/idempotency.js';
import { Page, PageQuery } from '../platform/http/pagination.js';
import { Draft, DraftBody } from '../platform/contract/read-dto.js';
import { ListDeliveriesQuery, ReplayDeliveriesDto, toAttemptDto, toDeliveryDto } from './webhook-log.dto.js';
import { WebhookLogService } from './webhook-log.service.js';

/** `/api/payment-applications/{id}/webhook-deliveries…` (specification/webhooks.md#delivery-log). */
@Controller('api/payment-applications/:applicationId/webhook-deliveries')
@OAuthOnly()
export class WebhookLogController {
  constructor(private readonly log: WebhookLogService) {}

  @Get()
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Query() query: ListDeliveriesQuery,
  ) {
    const { items, total } = await this.log.list(userId, applicationId, query);
    return Page.of(items.map(toDeliveryDto), total, query);
  }

  @Post('replay')
  @Idempotent()
  @HttpCode(202)
  replay(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @DraftBody(ReplayDeliveriesDto) draft: Draft<ReplayDeliveriesDto>,
  ) {
    return this.log.replay(userId, applicationId, draft);
  }

  @Get(':deliveryId')
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    return toDeliveryDto(await this.log.get(userId, applicationId, deliveryId));
  }

  @Get(':deliveryId/attempts')
  async listAttempts(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Param('deliveryId') deliveryId: string,
    @Query() query: PageQuery,
  ) {
    const { items, total } = await this.log.listAttempts(userId, applicationId, deliveryId, query);
    return Page.of(items.map(toAttemptDto), total, query);
  }

  @Post(':deliveryId/redeliver')
  @Idempotent()
  @HttpCode(202)
  async redeliver(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    return toDeliveryDto(await this.log.redeliver(userId, applicationId, deliveryId));
  }
}
