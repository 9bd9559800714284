import { Controller, Get, Query } from '@nestjs/common';
import { cursorPage, Operation } from '../platform/web/contract/operation.js';
import type { CursorPage } from '../platform/web/http/cursor-page.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { ListAllDeliveriesQuery } from './delivery-list.contract.js';
import { DeliveryListService } from './delivery-list.service.js';
import { DeliverySummaryContract } from './webhook-delivery.contract.js';

/** `/api/webhook-deliveries`: the deliveries of all applications (specification/overview.md#deliveries). */
@Controller('api/webhook-deliveries')
@OAuthOnly('webhooks')
export class DeliveryListController {
  constructor(private readonly deliveries: DeliveryListService) {}

  @Get()
  @Operation({
    id: 'listAllWebhookDeliveries',
    tag: 'Webhook deliveries',
    summary: 'List webhook deliveries of all applications',
    description:
      'Newest first, without bodies, which `GET /api/payment-applications/{id}/webhook-deliveries/{deliveryId}` has. ' +
      'Without test events; kept for 30 days.',
    returns: cursorPage(DeliverySummaryContract, 'The next deliveries.'),
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListAllDeliveriesQuery,
  ): Promise<CursorPage<DeliverySummaryContract>> {
    return this.deliveries.list(userId, query);
  }
}
