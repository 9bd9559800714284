import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { exported, Operation } from '../../platform/web/contract/operation.js';
import { type ExportRequest, Exports } from '../../platform/web/http/exports.service.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import {
  ExportPaymentsQuery,
  ExportTransfersQuery,
  PaymentExportRow,
  TransferExportRow,
} from './payment-export.contract.js';
import { PaymentExports } from './payment-exports.service.js';

/** Payments and transfers as files (specification/exports.md). Before `/api/payment/{paymentId}`, which would take `export` for an id. */
@Controller('api')
@OAuthOnly('payments')
export class PaymentExportsController {
  constructor(
    private readonly exports: Exports,
    private readonly sources: PaymentExports,
  ) {}

  @Get('payment/export')
  @Operation({
    id: 'exportPayments',
    tag: 'Payments',
    summary: 'Export payments',
    description:
      'All payments that match, as a file: newest first, with the filters of the list. Of any length: it is written while ' +
      'you read it. A file that is complete ends the response; after an error the connection breaks instead. At most two ' +
      'exports of a user run at a time.',
    returns: exported(PaymentExportRow, 'The payments.'),
  })
  payments(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ExportPaymentsQuery,
    @Req() request: ExportRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.send(principal, request, response, this.sources.ofPayments(principal.userId, query));
  }

  @Get('transfers/export')
  @Operation({
    id: 'exportTransfers',
    tag: 'Payments',
    summary: 'Export transfers',
    description:
      'Every movement of funds to your payments, newest first by the time it was first seen, as a file of any length.',
    returns: exported(TransferExportRow, 'The transfers.'),
  })
  transfers(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ExportTransfersQuery,
    @Req() request: ExportRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.send(principal, request, response, this.sources.ofTransfers(principal.userId, query));
  }
}
