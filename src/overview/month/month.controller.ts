import { Controller, Get, Query, Req, Res } from '@nestjs/common';
import type { Response } from 'express';
import { Operation, sheetFile } from '../../platform/web/contract/operation.js';
import { type ExportRequest, Exports } from '../../platform/web/http/exports.service.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { MonthQuery } from './month.contract.js';
import { MonthService } from './month.service.js';

/** A month for the bookkeeper (specification/exports.md#a-month). */
@Controller('api/reports/month')
@OAuthOnly('payments')
export class MonthController {
  constructor(
    private readonly exports: Exports,
    private readonly months: MonthService,
  ) {}

  @Get()
  @Operation({
    id: 'reportMonth',
    tag: 'Reports',
    summary: 'Report a month as one file',
    description:
      'What was received, what was refunded and what is open, with sums by currency: those of received funds are the sums of ' +
      '`reportReceived` for the same span. For people, in their language, time zone and spreadsheet; of any length, as the exports.',
    returns: sheetFile('The month.'),
  })
  month(
    @CurrentPrincipal() principal: Principal,
    @Query() query: MonthQuery,
    @Req() request: ExportRequest,
    @Res() response: Response,
  ): Promise<void> {
    return this.exports.sendSheet(principal, request, response, this.months.of(principal.userId, query));
  }
}
