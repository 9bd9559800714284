import { AmountContract, EXAMPLE_USDC_100 } from '../../money/amount.contract.js';
import { Contract, exampleOf } from '../../platform/web/contract/contract.js';
import { Choice, Count, Decimal, Instant, Nested, Text, Uuid } from '../../platform/web/contract/fields.js';
import { FILTERS } from '../payment-filters.js';
import { SHEET_FIELDS } from '../../platform/web/http/export-query.js';

const EXAMPLE_APPLICATION_ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';

export const REPORT_GROUPS = ['currency', 'application', 'blockchain'] as const;
export type ReportGroup = (typeof REPORT_GROUPS)[number];

export const REPORT_INTERVALS = ['day', 'total'] as const;
export type ReportInterval = (typeof REPORT_INTERVALS)[number];

/** Query of every report (specification/exports.md#reports). */
export class ReportQuery {
  @Instant({ about: 'From this time on; with a time zone.', example: '2026-01-01T00:00:00Z' })
  from: Date;

  @Instant({
    about: 'Until this time, exclusive; at most 366 days after `from`.',
    example: '2026-02-01T00:00:00Z',
  })
  to: Date;

  @SHEET_FIELDS.timeZone('The time zone (IANA) whose days are counted.', { default: 'UTC' })
  timeZone = 'UTC';

  @Choice(REPORT_INTERVALS, {
    optional: true,
    about: '`day`: rows for each day that has any. `total`: for the whole span.',
    default: 'day',
  })
  interval: ReportInterval = 'day';

  @Choice(REPORT_GROUPS, { optional: true, about: 'Separate rows for each of them.' })
  groupBy?: ReportGroup;

  @FILTERS.paymentApplicationId
  paymentApplicationId?: string;

  @FILTERS.currencyCode
  currencyCode?: string;
}

/** What every row of a report begins with. */
class ReportRow {
  @Text({
    nullable: true,
    format: 'date',
    about: 'The day, in `timeZone`; null with `interval=total`.',
    example: '2026-01-15',
  })
  day: string | null;

  @Uuid({ nullable: true, about: 'With `groupBy=application`; else null.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string | null;

  @Text({
    nullable: true,
    about: 'The slug of the blockchain, with `groupBy=blockchain`; else null, also where none was chosen.',
  })
  blockchain: string | null;
}

/** A row of GET /api/reports/received. */
@Contract('ReceivedReportRow', 'What was received.')
export class ReceivedReportRow extends ReportRow {
  @Text({ about: 'The currency of the payments.', example: 'USD' })
  currencyCode: string;

  @Count({ about: 'Payments that received something.', example: 12 })
  payments: number;

  @Count({ about: 'Transfers that count.', example: 13 })
  transfers: number;

  @Nested(() => AmountContract, { about: 'The exact sum of their `creditedAmount`.' })
  credited: AmountContract;

  @Nested(() => AmountContract, {
    nullable: true,
    about: 'The exact sum in the coin, with `groupBy=blockchain`, which has a row for each coin; else null.',
    example: EXAMPLE_USDC_100,
  })
  received: AmountContract | null;
}

@Contract('ReportQuantiles', 'Half and 95 percent of the payments took no longer.')
export class ReportQuantiles {
  @Count({ about: 'Seconds, the median.', example: 95 })
  p50: number;

  @Count({ about: 'Seconds, the 95th percentile.', example: 410 })
  p95: number;
}
const QUANTILES = exampleOf(ReportQuantiles, 'response');

/** What rows about payments begin with. */
class PaymentReportRow extends ReportRow {
  @Text({ nullable: true, about: 'The currency of the payments, with `groupBy=currency`; else null.' })
  currencyCode: string | null;
}

/** A row of GET /api/reports/times. */
@Contract('TimesReportRow', 'How long payments took.')
export class TimesReportRow extends PaymentReportRow {
  @Count({ about: 'Payments for which funds were seen.', example: 12 })
  seen: number;

  @Nested(() => ReportQuantiles, {
    nullable: true,
    about: 'From the creation of the payment until funds were first seen; null: none were.',
    example: QUANTILES,
  })
  secondsToSeen: ReportQuantiles | null;

  @Count({ about: 'Payments whose full amount was confirmed.', example: 11 })
  final: number;

  @Nested(() => ReportQuantiles, {
    nullable: true,
    about: 'From then until the full amount was confirmed; null: of none.',
    example: QUANTILES,
  })
  secondsToFinal: ReportQuantiles | null;
}

/** Outcomes in the order in which rows have them. */
export const OUTCOMES = [
  'completed',
  'refunded',
  'underpaid',
  'expired',
  'cancelled',
  'failed',
  'open',
] as const;
export type Outcome = (typeof OUTCOMES)[number];

@Contract('ReportOutcomes', 'Payments by what became of them: each is counted once.')
export class ReportOutcomes {
  @Count({ about: 'RECEIVED or CONFIRMED.', example: 8 })
  completed: number;

  @Count({ about: 'REFUND: paid back in full.', example: 1 })
  refunded: number;

  @Count({ about: 'UNDERPAID.', example: 1 })
  underpaid: number;

  @Count({ about: 'OPEN, and the link has expired.', example: 4 })
  expired: number;

  @Count({ about: 'CANCELLED.', example: 1 })
  cancelled: number;

  @Count({ about: 'ERROR.', example: 0 })
  failed: number;

  @Count({ about: 'FOUND, or OPEN with a link that is still valid.', example: 1 })
  open: number;
}

@Contract('ReportShares', 'Shares of all payments, from 0 to 1, rounded to four places.')
export class ReportShares {
  @Decimal({ about: 'Of `completed`.', example: 0.5 })
  completed: number;

  @Decimal({ about: 'Of `refunded`.', example: 0.0625 })
  refunded: number;

  @Decimal({ about: 'Of `underpaid`.', example: 0.0625 })
  underpaid: number;

  @Decimal({ about: 'Of `expired`.', example: 0.25 })
  expired: number;

  @Decimal({ about: 'Of `cancelled`.', example: 0.0625 })
  cancelled: number;

  @Decimal({ about: 'Of `failed`.', example: 0 })
  failed: number;

  @Decimal({ about: 'Of `open`.', example: 0.0625 })
  open: number;
}

/** A row of GET /api/reports/rates. */
@Contract('RatesReportRow', 'What became of the payments that were created.')
export class RatesReportRow extends PaymentReportRow {
  @Count({ about: 'All payments that were created.', example: 16 })
  payments: number;

  @Nested(() => ReportOutcomes)
  counts: ReportOutcomes;

  @Nested(() => ReportShares)
  shares: ReportShares;
}
