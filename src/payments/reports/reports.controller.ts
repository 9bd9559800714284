import { Controller, Get, Query } from '@nestjs/common';
import { data, Operation } from '../../platform/web/contract/operation.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { RatesReportRow, ReceivedReportRow, ReportQuery, TimesReportRow } from './reports.contract.js';
import { ReportsService } from './reports.service.js';

const SPAN = 'At most 366 days and 5,000 rows; days and groups without anything have no row.';

/** `/api/reports/…` (specification/exports.md#reports). */
@Controller('api/reports')
@OAuthOnly('payments')
export class ReportsController {
  constructor(private readonly reports: ReportsService) {}

  @Get('received')
  @Operation({
    id: 'reportReceived',
    tag: 'Reports',
    summary: 'Report what was received',
    description: `Exact sums of the confirmed funds of your payments, on the day when they were first seen; by the currency of the payments. ${SPAN}`,
    returns: data([ReceivedReportRow], 'The rows, by day.'),
  })
  received(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ReportQuery,
  ): Promise<ReceivedReportRow[]> {
    return this.reports.received(userId, query);
  }

  @Get('times')
  @Operation({
    id: 'reportTimes',
    tag: 'Reports',
    summary: 'Report how long payments took',
    description: `Median and 95th percentile of the times until funds were seen and until they were confirmed, of the payments created in the span. ${SPAN}`,
    returns: data([TimesReportRow], 'The rows, by day of creation.'),
  })
  times(@CurrentPrincipal() { userId }: Principal, @Query() query: ReportQuery): Promise<TimesReportRow[]> {
    return this.reports.times(userId, query);
  }

  @Get('rates')
  @Operation({
    id: 'reportRates',
    tag: 'Reports',
    summary: 'Report what became of payments',
    description: `How many of the payments created in the span were completed, underpaid, cancelled, or expired without funds. ${SPAN}`,
    returns: data([RatesReportRow], 'The rows, by day of creation.'),
  })
  rates(@CurrentPrincipal() { userId }: Principal, @Query() query: ReportQuery): Promise<RatesReportRow[]> {
    return this.reports.rates(userId, query);
  }
}
