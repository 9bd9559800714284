import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { exported, Operation } from '../../platform/web/contract/operation.js';
import { type ExportRequest, Exports } from '../../platform/web/http/exports.service.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { DeliveryExportRow, ExportDeliveriesQuery } from './delivery-export.contract.js';
import { DeliveryExports } from './delivery-exports.service.js';

/** Deliveries as a file (specification/exports.md#deliveries). */
@Controller('api/webhook-deliveries/export')
@OAuthOnly('webhooks')
export class DeliveryExportsController {
  constructor(
    private readonly exports: Exports,
    private readonly sources: DeliveryExports,
  ) {}

  @Get()
  @Operation({
    id: 'exportWebhookDeliveries',
    tag: 'Webhook deliveries',
    summary: 'Export webhook deliveries',
    description:
      'The deliveries of all of your applications, newest first, as a file of any length; without bodies and without test ' +
      'events. They are kept for 30 days.',
    returns: exported(DeliveryExportRow, 'The deliveries.'),
  })
  deliveries(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ExportDeliveriesQuery,
    @Req() request: ExportRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.send(
      principal,
      request,
      response,
      this.sources.ofDeliveries(principal.userId, query),
    );
  }
}
