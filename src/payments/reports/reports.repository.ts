import { Injectable } from '@nestjs/common';
import { type NamedStatement, namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { ReportGroup } from './reports.contract.js';

/** What a report is about; null: not restricted by that. */
export interface ReportSpan {
  userId: string;
  from: Date;
  /** Exclusive. */
  to: Date;
  /** When each interval begins, in order; the first one not after `from`. */
  starts: readonly Date[];
  applicationId: string | null;
  currencyCode: string | null;
  /** Rows at most. */
  limit: number;
}

/** Where a row belongs. */
interface Grouped {
  /** Of the interval, from 1. */
  place: number;
  applicationId: string | null;
  blockchain: string | null;
}
export interface ReceivedSum extends Grouped {
  currencyCode: string;
  /** With the group `blockchain`; else null. */
  coin: string | null;
  coinDecimals: number | null;
  payments: string;
  transfers: string;
  credited: string;
  received: string;
}
export interface TimesSum extends Grouped {
  currencyCode: string | null;
  seen: string;
  /** Median and 95th percentile; null: of none. */
  toSeen: [number, number] | null;
  final: string;
  toFinal: [number, number] | null;
}
export interface RatesSum extends Grouped {
  currencyCode: string | null;
  payments: string;
  completed: string;
  refunded: string;
  underpaid: string;
  expired: string;
  cancelled: string;
  failed: string;
}

type Groups = ReportGroup | 'none';
const GROUPS: readonly Groups[] = ['none', 'currency', 'application', 'blockchain'];

const OF_APPLICATION = '(:applicationId::uuid is null or p.application_id = :applicationId)';
const IN_CURRENCY = '(:currencyCode::text is null or p.currency_code = :currencyCode)';
const INTERVAL = (time: string) => `width_bucket(${time}, :starts::timestamptz[])`;

/**
 * By the index payment_transfers_owner: the `creditedAmount` of the transactions that make up `receivedAmount`
 * (specification/money.md#rounding).
 */
const received = (group: Groups) => {
  const ofApplication = group === 'application' ? 'p.application_id' : 'null::uuid';
  const [ofChain, coin, decimals] =
    group === 'blockchain'
      ? ['t.chain', 't.currency_code', 't.asset_decimals']
      : ['null::text', 'null::text', 'null::smallint'];
  return namedStatement<ReportSpan>(`
    select ${INTERVAL('t.seen_at')} as place, ${ofApplication} as "applicationId", ${ofChain} as blockchain,
      p.currency_code as "currencyCode", ${coin} as coin, ${decimals} as "coinDecimals",
      count(distinct t.payment_id) as payments, count(*) as transfers,
      sum(coalesce(t.credited_amount, 0))::text as credited, sum(t.amount)::text as received
    from payment_transfers t
    join payments p on p.id = t.payment_id
    where t.user_id = :userId and t.seen_at >= :from and t.seen_at < :to
      and t.state = 'confirmed' and t.quote_id is not null and ${OF_APPLICATION} and ${IN_CURRENCY}
    group by 1, 2, 3, 4, 5, 6 order by 1, 2, 3, 4, 5, 6 limit :limit`);
};

/** Of the payments that were created in the span, by the index payments_owner. */
const ofPayments = <Values extends ReportSpan>(group: Groups, sums: string) =>
  namedStatement<Values>(`
    select ${INTERVAL('p.created_at')} as place,
      ${group === 'application' ? 'p.application_id' : 'null::uuid'} as "applicationId",
      ${group === 'blockchain' ? 'p.selected_provider' : 'null::text'} as blockchain,
      ${group === 'currency' ? 'p.currency_code' : 'null::text'} as "currencyCode",
      ${sums}
    from payments p
    where p.user_id = :userId and p.created_at >= :from and p.created_at < :to
      and ${OF_APPLICATION} and ${IN_CURRENCY}
    group by 1, 2, 3, 4 order by 1, 2, 3, 4 limit :limit`);

const QUANTILES = (seconds: string, isKnown: string) => `
  percentile_disc(array[0.5, 0.95]) within group (order by floor(extract(epoch from ${seconds}))::float8)
    filter (where ${isKnown})`;
const TIMES = `
  count(p.found_at) as seen, ${QUANTILES('p.found_at - p.created_at', 'p.found_at is not null')} as "toSeen",
  count(p.received_at) as final,
  ${QUANTILES('p.received_at - p.found_at', 'p.received_at is not null and p.found_at is not null')} as "toFinal"`;
const IS = (status: string) => `count(*) filter (where p.status = '${status}')`;
const RATES = `
  count(*) as payments, count(*) filter (where p.status in ('RECEIVED', 'CONFIRMED')) as completed,
  ${IS('REFUND')} as refunded, ${IS('UNDERPAID')} as underpaid, ${IS('CANCELLED')} as cancelled,
  ${IS('ERROR')} as failed, count(*) filter (where p.status = 'OPEN' and p.expires_at < :now) as expired`;

type RatesSpan = ReportSpan & { now: Date };
const byGroup = <Values extends object>(build: (group: Groups) => NamedStatement<Values>) =>
  Object.fromEntries(GROUPS.map((group) => [group, build(group)])) as Record<Groups, NamedStatement<Values>>;
const RECEIVED_BY = byGroup(received);
const TIMES_BY = byGroup((group) => ofPayments<ReportSpan>(group, TIMES));
const RATES_BY = byGroup((group) => ofPayments<RatesSpan>(group, RATES));

/** Sums over the payments and transfers of one user (specification/exports.md#reports). */
@Injectable()
export class ReportsRepository {
  constructor(private readonly sql: Sql) {}

  received(span: ReportSpan, group: ReportGroup | null): Promise<ReceivedSum[]> {
    return this.read(RECEIVED_BY[group ?? 'none'], span);
  }

  times(span: ReportSpan, group: ReportGroup | null): Promise<TimesSum[]> {
    return this.read(TIMES_BY[group ?? 'none'], span);
  }

  /** @param now decides which links have expired */
  rates(span: ReportSpan, group: ReportGroup | null, now: Date): Promise<RatesSum[]> {
    return this.read(RATES_BY[group ?? 'none'], { ...span, now });
  }

  private read<Values extends object, Row extends object>(
    statement: NamedStatement<Values>,
    values: Values,
  ): Promise<Row[]> {
    return this.sql.query<Row>(statement.text, statement.values(values));
  }
}
