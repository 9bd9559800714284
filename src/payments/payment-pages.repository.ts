import { columnsOf } from '../platform/database/entity-sql.js';
import { type NamedStatement, namedStatement } from '../platform/database/named-statement.pure.js';
import type { PaymentSort } from './payment-requests.contract.js';
import { FOUND } from './payment-search.repository.js';
import type { PaymentStatus } from './payment-status.pure.js';
import { IS_UNMATCHED, WITH_UNMATCHED } from './transfers/waiting-funds.pure.js';
import { PaymentEntity } from './payment.entity.js';

// The statements of PaymentListRepository. None of them reads more than a bounded number of rows, however many payments
// there are (explanation/performance.md#totals-and-pages-by-counts).

/** What a list is restricted to; null: not by that. */
export interface PaymentFilter {
  userId: string;
  applicationId: string | null;
  statuses: readonly PaymentStatus[] | null;
  reference: string | null;
  currencyCode: string | null;
  dateFrom: Date | null;
  dateTo: Date | null;
  /** The beginning of a reference, label, address or transaction hash, or a payment id. */
  search: string | null;
  hasUnmatchedFunds: boolean | null;
}

export interface Slice {
  limit: number;
  offset: number;
}

/** Rows that a statement reads at most, where nothing is counted in advance. */
export const MAX_READ = 5_000;

export const SUMMARY_COLUMNS = [
  'id',
  'status',
  'reference',
  'referenceLabel',
  'currencyCode',
  'amount',
  'createdAt',
] as const;
export const SUMMARY = columnsOf(PaymentEntity, 'p', SUMMARY_COLUMNS);
/** The same, under the names that the table has. */
const COLUMNS = 'p.id, p.status, p.reference, p.reference_label, p.currency_code, p.amount, p.created_at';

/** Of the columns that payments and their counts have in common. */
const isOfKind = (alias: string) => `${alias}.user_id = :userId
    and (:applicationId::uuid is null or ${alias}.application_id = :applicationId)
    and (:statuses::text[] is null or ${alias}.status = any(:statuses))
    and (:currencyCode::text is null or ${alias}.currency_code = :currencyCode)`;
const IS_COUNTED = `${isOfKind('p')} and not exists (select from excluded where excluded.id = p.id)`;
/** @param span month, day or hour; not yet added changes included */
const countsBy = (span: 'month' | 'day' | 'hour', within: (column: string) => string) => `
    select starts_at, sum(n) as n from (
      select c.starts_at, c.total as n from payment_counts c
      where ${isOfKind('c')} and c.span = '${span}' and ${within('c.starts_at')}
      union all
      select date_trunc('${span}', hour, 'UTC'), n from recent where ${within('hour')}
    ) counted group by starts_at`;
/** Payments created before a time: whole months, days and hours are counted already, the rest of the hour is read. */
const countBefore = (time: string, isBefore: '<' | '<=') => {
  const start = (span: string) => `date_trunc('${span}', ${time}::timestamptz, 'UTC')`;
  const between = (from: string, to: string) => (column: string) =>
    `${column} >= ${start(from)} and ${column} < ${start(to)}`;
  return `(
    coalesce((select sum(n) from months where starts_at < ${start('month')}), 0)
    + coalesce((select sum(n) from (${countsBy('day', between('month', 'day'))}) days), 0)
    + coalesce((select sum(n) from (${countsBy('hour', between('day', 'hour'))}) hours), 0)
    + (select count(*) from payments p where ${IS_COUNTED}
        and p.created_at >= ${start('hour')} and p.created_at ${isBefore} ${time}::timestamptz)
  )`;
};
/** Periods that share payments with the page; a page ranks first + 1 to last, counted from the oldest. */
const ON_PAGE = 'upto > first and upto - n < last and n > 0';
/** The parts of these periods that are on the page. */
const partsOf = (whole: string, span: 'day' | 'hour', end: string) => `
    select starts_at, upto - n as before from (
      select part.starts_at, part.n, whole.before + sum(part.n) over (
        partition by whole.starts_at order by part.starts_at) as upto
      from ${whole} whole cross join lateral (
        ${countsBy(span, (column) => `${column} >= whole.starts_at and ${column} < ${end}`)}) part
    ) parts, place where ${ON_PAGE}`;

export type DateEntry = 'owner' | 'application' | 'status';
/** Conditions that indexes begin with; each leads a statement of its own, so that it has its own plan. */
const LEADS: Record<DateEntry, string> = {
  owner: 'true',
  application: 'p.application_id = :applicationId',
  status: 'p.status = (:statuses::text[])[1]',
};

/**
 * A page in the order of time and its total, of the same moment; above {@link MAX_READ} excluded payments both mean nothing. The rank of the page's first payment leads to its month,
 * day and hour; only the hours of the page are read.
 */
const datePage = (isAscending: boolean, entry: DateEntry) => {
  const order = isAscending ? 'p.created_at, p.id' : 'p.created_at desc, p.id desc';
  const [first, last] = isAscending
    ? ['newer + :offset', 'least(newer + :offset + :limit, upto)']
    : ['greatest(upto - :offset - :limit, newer)', 'upto - :offset'];
  return namedStatement<PaymentFilter & Slice>(`
  with excluded as materialized (
    select key as id from (${WITH_UNMATCHED}) unmatched where :hasUnmatchedFunds::boolean = false
    limit ${MAX_READ + 1}
  ), recent as materialized (
    select hour, sum(n) as n from (
      select c.hour, c.change as n from payment_count_changes c where ${isOfKind('c')}
      union all
      select date_trunc('hour', p.created_at, 'UTC'), -1 from excluded join payments p on p.id = excluded.id
      where ${isOfKind('p')}
    ) changed group by hour
  ), months as materialized (
    select starts_at, n, sum(n) over (order by starts_at) as upto from (${countsBy('month', () => 'true')}) counted
  ), bounds as materialized (
    select
      case when :dateFrom::timestamptz is null then 0 else ${countBefore(':dateFrom', '<')} end as newer,
      case when :dateTo::timestamptz is null then coalesce((select sum(n) from months), 0)
        else ${countBefore(':dateTo', '<=')} end as upto
  ), place as materialized (
    select greatest(upto - newer, 0) as total, ${first} as first, ${last} as last from bounds
  ), page_months as materialized (
    select starts_at, upto - n as before from months, place where ${ON_PAGE}
  ), page_days as materialized (${partsOf('page_months', 'day', `date_trunc('month', whole.starts_at + interval '32 days', 'UTC')`)}
  ), page_hours as materialized (${partsOf('page_days', 'hour', `whole.starts_at + interval '24 hours'`)}
  ), page as (
    select p.* from page_hours h cross join lateral (
      select ${COLUMNS} from payments p
      where ${LEADS[entry]} and ${IS_COUNTED}
        and p.created_at >= h.starts_at and p.created_at < h.starts_at + interval '1 hour'
    ) p
    order by p.created_at, p.id
    offset (select greatest(first - (select min(before) from page_hours), 0) from place)
    limit (select greatest(last - first, 0) from place)
  )
  select place.total, (select count(*) from excluded) as excluded, ${SUMMARY.list} from place left join page p on true order by ${order}`);
};

type Pages<Key extends string, Values extends object> = Record<Key, NamedStatement<Values>>;
const datePages = (isAscending: boolean): Pages<DateEntry, PaymentFilter & Slice> => ({
  owner: datePage(isAscending, 'owner'),
  application: datePage(isAscending, 'application'),
  status: datePage(isAscending, 'status'),
});
export const OLDEST_FIRST = datePages(true);
export const NEWEST_FIRST = datePages(false);

/** What leads to few payments; at most {@link MAX_READ} are read and sorted. */
const SOURCES = {
  search: FOUND,
  reference: `select id from payments where user_id = :userId and reference = :reference
    order by created_at desc, id desc limit :most`,
  unmatchedFunds: `select key as id from (${WITH_UNMATCHED}) unmatched limit :most`,
  dates: `select id from payments where user_id = :userId
    and created_at >= coalesce(:dateFrom::timestamptz, '-infinity')
    and created_at <= coalesce(:dateTo::timestamptz, 'infinity') order by created_at desc, id desc limit :most`,
};
export type Source = keyof typeof SOURCES;
export type SourceParameters = PaymentFilter &
  Slice & { id: string | null; text: string | null; most: number };
/** A page, its total, and how many payments the source has: above {@link MAX_READ} page and total mean nothing. */
const sourcePage = (source: string, order: string) =>
  namedStatement<SourceParameters>(`
  with found as materialized (select id from (${source}) candidates limit :most), matching as materialized (
    select p.* from found cross join lateral (
      -- Looked up one by one: for a join, Postgres would read the whole table.
      select ${COLUMNS} from payments p
      where p.id = found.id and ${isOfKind('p')}
        and (:reference::text is null or p.reference = :reference)
        and (:dateFrom::timestamptz is null or p.created_at >= :dateFrom)
        and (:dateTo::timestamptz is null or p.created_at <= :dateTo)
        and (:hasUnmatchedFunds::boolean is null or :hasUnmatchedFunds = exists (select from payment_transfers t
          where t.user_id = :userId and t.payment_id = p.id and ${IS_UNMATCHED}
          order by t.seen_at offset 0))
      offset 0
    ) p where (select count(*) from found) < :most
  )
  select counted.*, ${SUMMARY.list}
  from (select (select count(*) from found) as found, (select count(*) from matching) as total) counted
  left join (select * from matching p order by ${order} limit :limit offset :offset) p on true
  order by ${order}`);
const sourcePages = (order: string): Pages<Source, SourceParameters> => ({
  search: sourcePage(SOURCES.search, order),
  reference: sourcePage(SOURCES.reference, order),
  unmatchedFunds: sourcePage(SOURCES.unmatchedFunds, order),
  dates: sourcePage(SOURCES.dates, order),
});
/** Of the same time, status or amount, the order of ids decides, so that pages never overlap. */
export const FROM_SOURCE: Record<PaymentSort, Pages<Source, SourceParameters>> = {
  date: sourcePages('p.created_at, p.id'),
  '-date': sourcePages('p.created_at desc, p.id desc'),
  amount: sourcePages('p.amount, p.id'),
  '-amount': sourcePages('p.amount desc, p.id desc'),
  status: sourcePages('p.status, p.created_at, p.id'),
  '-status': sourcePages('p.status desc, p.created_at desc, p.id desc'),
};

/** By the index payments_amount, the first {@link MAX_READ} of a user. */
const amountPage = (order: string) =>
  namedStatement<Slice & { userId: string }>(
    `select ${SUMMARY.list} from payments p where p.user_id = :userId order by ${order} limit :limit offset :offset`,
  );
export const BY_AMOUNT = {
  amount: amountPage('p.amount, p.id'),
  '-amount': amountPage('p.amount desc, p.id desc'),
};
