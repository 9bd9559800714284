import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../common/auth.js';
import { Idempotent } from '../common/idempotency.js';
import { Page } from '../common/pagination.js';
import { ListDeliveriesQuery, toDeliveryDto } from './webhook-log.dto.js';
import { WebhookLogService } from './webhook-log.service.js';

/** `/api/payment-applications/{id}/webhook-deliveries…` (api.md G6). */
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

  @Get(':deliveryId')
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('applicationId') applicationId: string,
    @Param('deliveryId') deliveryId: string,
  ) {
    return toDeliveryDto(await this.log.get(userId, applicationId, deliveryId));
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
