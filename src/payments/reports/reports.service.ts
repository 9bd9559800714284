import { Injectable } from '@nestjs/common';
import { getCurrency } from '../../money/currencies.js';
import { presentAmount } from '../../money/present-amount.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { daysBetween } from '../../platform/kernel/zone-days.pure.js';
import {
  type Outcome,
  OUTCOMES,
  type RatesReportRow,
  type ReceivedReportRow,
  type ReportQuantiles,
  type ReportQuery,
  type TimesReportRow,
} from './reports.contract.js';
import { type RatesSum, type ReportSpan, ReportsRepository } from './reports.repository.js';

const MAX_DAYS = 366;
const DAY_MS = 86_400_000;
/** So that a response stays below a few megabytes. */
const MAX_ROWS = 5_000;

/** A span with the names of its intervals. */
type NamedSpan = ReportSpan & { names: readonly (string | null)[] };

/** Sums for dashboards (specification/exports.md#reports). */
@Injectable()
export class ReportsService {
  constructor(
    private readonly reports: ReportsRepository,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationError */
  async received(userId: string, query: ReportQuery): Promise<ReceivedReportRow[]> {
    const span = spanOf(userId, query);
    const rows = bounded(await this.reports.received(span, query.groupBy ?? null));
    return rows.map(({ coin, coinDecimals, ...row }) => ({
      ...placeOf(span, row),
      currencyCode: row.currencyCode,
      payments: Number(row.payments),
      transfers: Number(row.transfers),
      credited: presentAmount(BigInt(row.credited), getCurrency(row.currencyCode)),
      received:
        coin === null || coinDecimals === null
          ? null
          : presentAmount(BigInt(row.received), { ...getCurrency(coin), decimals: coinDecimals }),
    }));
  }

  /** @throws ValidationError */
  async times(userId: string, query: ReportQuery): Promise<TimesReportRow[]> {
    const span = spanOf(userId, query);
    const rows = bounded(await this.reports.times(span, query.groupBy ?? null));
    return rows.map((row) => ({
      ...placeOf(span, row),
      currencyCode: row.currencyCode,
      seen: Number(row.seen),
      secondsToSeen: quantiles(row.toSeen),
      final: Number(row.final),
      secondsToFinal: quantiles(row.toFinal),
    }));
  }

  /** @throws ValidationError */
  async rates(userId: string, query: ReportQuery): Promise<RatesReportRow[]> {
    const span = spanOf(userId, query);
    const rows = bounded(await this.reports.rates(span, query.groupBy ?? null, this.clock.now()));
    return rows.map((row) => {
      const payments = Number(row.payments);
      const counts = countsOf(row);
      const share = (outcome: Outcome) => Math.round((counts[outcome] / payments) * 10_000) / 10_000;
      return {
        ...placeOf(span, row),
        currencyCode: row.currencyCode,
        payments,
        counts,
        shares: byOutcome(share),
      };
    });
  }
}

function spanOf(userId: string, query: ReportQuery): NamedSpan {
  const { from, to, timeZone, interval } = query;
  if (to <= from) throw ValidationError.of('to', 'The to field must be a date after from.');
  // A day more than that is an hour longer or shorter in most zones.
  if (to.getTime() - from.getTime() > MAX_DAYS * DAY_MS + DAY_MS / 24)
    throw ValidationError.of('to', `The to field must be at most ${MAX_DAYS} days after from.`);
  const days = interval === 'day' ? daysBetween(from, to, timeZone) : [{ date: null, start: from }];
  return {
    userId,
    from,
    to,
    starts: days.map(({ start }) => start),
    names: days.map(({ date }) => date),
    applicationId: query.paymentApplicationId ?? null,
    currencyCode: query.currencyCode ?? null,
    limit: MAX_ROWS + 1,
  };
}

function bounded<Row>(rows: Row[]): Row[] {
  if (rows.length <= MAX_ROWS) return rows;
  throw ValidationError.of(
    'to',
    `The report has more than ${MAX_ROWS} rows.`,
    'Ask for a shorter span, for one application or currency, or for interval=total.',
  );
}

function placeOf(
  { names }: NamedSpan,
  {
    place,
    applicationId,
    blockchain,
  }: { place: number; applicationId: string | null; blockchain: string | null },
) {
  return { day: names[place - 1] ?? null, paymentApplicationId: applicationId, blockchain };
}

function quantiles(values: [number, number] | null): ReportQuantiles | null {
  return values && { p50: values[0], p95: values[1] };
}

function countsOf(row: RatesSum): Record<Outcome, number> {
  const known = Number(row.payments);
  const named = byOutcome((outcome) => (outcome === 'open' ? 0 : Number(row[outcome])));
  const others = Object.values(named).reduce((sum, count) => sum + count, 0);
  return { ...named, open: known - others };
}

function byOutcome(valueOf: (outcome: Outcome) => number): Record<Outcome, number> {
  return Object.fromEntries(OUTCOMES.map((outcome) => [outcome, valueOf(outcome)])) as Record<
    Outcome,
    number
  >;
}
