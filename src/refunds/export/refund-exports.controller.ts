import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { exported, Operation } from '../../platform/web/contract/operation.js';
import { type ExportRequest, Exports } from '../../platform/web/http/exports.service.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { ExportRefundsQuery, RefundExportRow } from './refund-export.contract.js';
import { RefundExports } from './refund-exports.service.js';

/** Refunds as a file (specification/exports.md#refunds). */
@Controller('api/refunds/export')
@OAuthOnly('refunds')
export class RefundExportsController {
  constructor(
    private readonly exports: Exports,
    private readonly sources: RefundExports,
  ) {}

  @Get()
  @Operation({
    id: 'exportRefunds',
    tag: 'Refunds',
    summary: 'Export refunds',
    description: 'The refunds of all of your payments, newest first, as a file of any length.',
    returns: exported(RefundExportRow, 'The refunds.'),
  })
  refunds(
    @CurrentPrincipal() principal: Principal,
    @Query() query: ExportRefundsQuery,
    @Req() request: ExportRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.send(principal, request, response, this.sources.ofRefunds(principal.userId, query));
  }
}
