import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { type NamedStatement, namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { ExportOrder, ExportPlace } from '../platform/web/http/exports.service.js';
import { UUID } from '../platform/kernel/ids.pure.js';
import { CONDITIONS, type PaymentConditions } from './payment-overview.repository.js';
import {
  BY_AMOUNT,
  type DateEntry,
  FROM_SOURCE,
  MAX_READ,
  NEWEST_FIRST,
  OLDEST_FIRST,
  type PaymentFilter,
  type Slice,
  type Source,
  SUMMARY,
  SUMMARY_COLUMNS,
} from './payment-pages.repository.js';
import type { PaymentSort } from './payment-requests.contract.js';
import { PaymentStatusHistoryRepository } from './payment-status-history.repository.js';
import { PAYMENT_STATUSES } from './payment-status.pure.js';
import { PaymentEntity } from './payment.entity.js';
import type { Payment, PaymentSummary } from './payment.pure.js';

export type { PaymentFilter } from './payment-pages.repository.js';

const WAITING = columnsOf(PaymentEntity, 'p', [...SUMMARY_COLUMNS, 'receivedAt']);

/** By which time an export is ordered and restricted: that of creation, or when the first confirmed funds were seen. */
export const EXPORT_TIMES = ['created', 'paid'] as const;
export type ExportTime = (typeof EXPORT_TIMES)[number];

/** What an export is restricted to; null: not by that. */
export interface PaymentExportFilter extends PaymentConditions {
  by: ExportTime;
  applicationId: string | null;
  reference: string | null;
  /** The beginning of a reference, label, address or transaction hash, or a payment id. */
  search: string | null;
}

/** A payment as exports show it (specification/exports.md#payments). */
const EXPORTED_COLUMNS = [
  ...SUMMARY_COLUMNS,
  'applicationId',
  'receivedAmount',
  'overpaidAmount',
  'underpaidAmount',
  'refundedAmount',
  'foundAt',
  'receivedAt',
  'confirmedAt',
  'cancelledAt',
  'expiresAt',
  'reviewReason',
  'overpayAcceptedAt',
  'keptAmount',
  'twiceKeptAt',
  'paidLateAt',
  'lateKeptAt',
] as const;
const EXPORTED = columnsOf(PaymentEntity, 'p', EXPORTED_COLUMNS);
const SEEN_CONFIRMED = (alias: string) => `${alias}.is_matched and ${alias}.state = 'confirmed'`;
type ExportParameters = Omit<PaymentExportFilter, 'by'> & {
  pattern: string | null;
  at: Date;
  id: string;
  limit: number;
  paidFrom: Date | null;
  paidTo: Date | null;
};
/**
 * From the index payments_owner or payment_transfers_owner, in its order: a page costs the same wherever it begins. The
 * pattern is the search with its wildcards escaped.
 */
const exported = (by: ExportTime, order: ExportOrder): NamedStatement<ExportParameters> => {
  const [after, direction] = order === 'newest-first' ? ['<', 'desc'] : ['>', 'asc'];
  const [from, at, id, restricted] =
    by === 'created'
      ? ['payments p', 'p.created_at', 'p.id', 'p.user_id = :userId']
      : [
          'payment_transfers t join payments p on p.id = t.payment_id',
          't.seen_at',
          't.id',
          `t.user_id = :userId and ${SEEN_CONFIRMED('t')} and not exists (
            select from payment_transfers e where e.payment_id = t.payment_id and ${SEEN_CONFIRMED('e')}
              and (e.seen_at, e.id) < (t.seen_at, t.id))`,
        ];
  return namedStatement(`
  select ${EXPORTED.list}, ${at} as "placeAt", ${id} as "placeId"
  from ${from}
  where ${restricted}
    and (:paidFrom::timestamptz is null or ${at} >= :paidFrom)
    and (:paidTo::timestamptz is null or ${at} <= :paidTo)
    and (:applicationId::uuid is null or p.application_id = :applicationId)
    and (:reference::text is null or p.reference = :reference)
    and (:search::text is null or p.reference ilike :pattern or p.reference_label ilike :pattern
      or p.id::text = lower(:search)
      or exists (select from payment_transfers t where t.payment_id = p.id and t.tx_hash ilike :pattern)
      or exists (select from deposit_addresses d where d.payment_id = p.id and d.address ilike :pattern))
    ${CONDITIONS}
    and (${at}, ${id}) ${after} (:at, :id)
  order by ${at} ${direction}, ${id} ${direction} limit :limit`);
};
const inBothOrders = (by: ExportTime) => ({
  'newest-first': exported(by, 'newest-first'),
  'oldest-first': exported(by, 'oldest-first'),
});
const EXPORTS = { created: inBothOrders('created'), paid: inBothOrders('paid') };

const OF_IDS = `select ${SUMMARY.list} from payments p where p.user_id = $1 and p.id = any($2::uuid[])`;

interface ApplicationFilter {
  userId: string;
  applicationId: string;
}
const UNACKNOWLEDGED = `
  from payments p
  where p.user_id = :userId and p.application_id = :applicationId and p.status = 'RECEIVED' and p.acknowledged_at is null`;
const COUNT_UNACKNOWLEDGED = namedStatement<ApplicationFilter>(`select count(*) as total ${UNACKNOWLEDGED}`);
const PAGE_UNACKNOWLEDGED = namedStatement<ApplicationFilter & Slice>(`
  select ${WAITING.list} ${UNACKNOWLEDGED} order by p.received_at, p.id limit :limit offset :offset`);

/** A payment as it is read for an export, and its place there. */
export type ExportedPayment = Pick<Payment, (typeof EXPORTED_COLUMNS)[number]> & { place: ExportPlace };

/** A payment in RECEIVED, and since when. */
export type WaitingPayment = PaymentSummary & Pick<Payment, 'receivedAt'>;

/** One page of a list, and how many entries the list has. */
export interface Listed<Item> {
  items: Item[];
  total: number;
}

/** A list that would have to read too much: what it was restricted by has more than {@link MAX_READ} payments. */
export type Refusal = 'search' | 'reference' | 'unmatchedFunds' | 'sort' | 'page';

/** The lists of payments that merchants see. */
@Injectable()
export class PaymentListRepository {
  constructor(
    private readonly sql: Sql,
    private readonly history: PaymentStatusHistoryRepository,
  ) {}

  async list(
    filter: PaymentFilter,
    sort: PaymentSort,
    { limit, offset }: Slice,
  ): Promise<Listed<PaymentSummary> | Refusal> {
    const listed = await this.listStored(filter, sort, { limit, offset });
    if (typeof listed !== 'string') await this.setStatuses(listed.items);
    return listed;
  }

  private async listStored(
    filter: PaymentFilter,
    sort: PaymentSort,
    slice: Slice,
  ): Promise<Listed<PaymentSummary> | Refusal> {
    const source = sourceOf(filter);
    if (source) return this.listFound(source, filter, sort, slice);
    if (sort === 'date' || sort === '-date') return this.listByDate(filter, sort, slice);
    if (sort === 'status' || sort === '-status') return this.listByStatus(filter, sort, slice);
    return this.listByAmount(filter, sort, slice);
  }

  /** The next payments after a place. */
  async listAfter(
    filter: PaymentExportFilter,
    { at, id }: ExportPlace,
    limit: number,
    order: ExportOrder,
  ): Promise<ExportedPayment[]> {
    const { by, dateFrom, dateTo } = filter;
    const span =
      by === 'paid'
        ? { dateFrom: null, dateTo: null, paidFrom: dateFrom, paidTo: dateTo }
        : { paidFrom: null, paidTo: null };
    const { text, values } = EXPORTS[by][order];
    const parameters = values({ ...filter, ...span, pattern: patternOf(filter), at, id, limit });
    const rows = await this.sql.query<{ placeAt: Date; placeId: string }>(text, parameters);
    const payments = rows.map((row) => ({
      ...EXPORTED.toEntity(row),
      place: { at: row.placeAt, id: row.placeId },
    }));
    return this.setStatuses(payments);
  }

  /** Those of the payments that are the user's, in no order. */
  async listByIds(userId: string, ids: readonly string[]): Promise<PaymentSummary[]> {
    if (ids.length === 0) return [];
    return this.setStatuses((await this.sql.query<object>(OF_IDS, [userId, ids])).map(SUMMARY.toEntity));
  }

  /** Payments in RECEIVED that await acknowledgement, the longest waiting first. */
  listUnacknowledged(filter: ApplicationFilter, slice: Slice): Promise<Listed<WaitingPayment>> {
    return this.read(PAGE_UNACKNOWLEDGED, COUNT_UNACKNOWLEDGED, filter, slice, WAITING.toEntity);
  }

  /** Of few payments, which are read and sorted. */
  private async listFound(
    source: Source,
    filter: PaymentFilter,
    sort: PaymentSort,
    slice: Slice,
  ): Promise<Listed<PaymentSummary> | Refusal> {
    const text = filter.search;
    const id = text !== null && UUID.test(text.toLowerCase()) ? text.toLowerCase() : null;
    const page = FROM_SOURCE[sort][source];
    const values = page.values({ ...filter, ...slice, id, text, most: MAX_READ + 1 });
    const rows = await this.sql.query<PageRow & { found: string }>(page.text, values);
    if (Number(rows[0]?.found) > MAX_READ) return source === 'dates' ? 'sort' : source;
    return listedOf(rows);
  }

  private async listByDate(
    filter: PaymentFilter,
    sort: 'date' | '-date',
    slice: Slice,
  ): Promise<Listed<PaymentSummary> | Refusal> {
    const page = (sort === 'date' ? OLDEST_FIRST : NEWEST_FIRST)[entryOf(filter)];
    const values = page.values({ ...filter, ...slice });
    const rows = await this.sql.query<PageRow & { excluded: string }>(page.text, values);
    return Number(rows[0]?.excluded) > MAX_READ ? 'unmatchedFunds' : listedOf(rows);
  }

  /** One status after the other, all at one moment. */
  private listByStatus(
    filter: PaymentFilter,
    sort: 'status' | '-status',
    { limit, offset }: Slice,
  ): Promise<Listed<PaymentSummary> | Refusal> {
    const ascending = [...new Set(filter.statuses ?? PAYMENT_STATUSES)].toSorted();
    const [statuses, order] =
      sort === 'status' ? ([ascending, 'date'] as const) : ([ascending.toReversed(), '-date'] as const);
    return this.sql.snapshot(async () => {
      const listed: Listed<PaymentSummary> = { items: [], total: 0 };
      for (const status of statuses) {
        const slice = {
          offset: Math.max(offset - listed.total, 0),
          limit: limit - listed.items.length,
        };
        const part = await this.listByDate({ ...filter, statuses: [status] }, order, slice);
        if (typeof part === 'string') return part;
        listed.items.push(...part.items);
        listed.total += part.total;
      }
      return listed;
    });
  }

  private async listByAmount(
    filter: PaymentFilter,
    sort: 'amount' | '-amount',
    slice: Slice,
  ): Promise<Listed<PaymentSummary> | Refusal> {
    const { userId, ...restrictions } = filter;
    if (Object.values(restrictions).some((one) => one !== null))
      return this.listFound('dates', filter, sort, slice);
    const page = BY_AMOUNT[sort];
    const [rows, all] = await Promise.all([
      slice.offset < MAX_READ ? this.sql.query<object>(page.text, page.values({ userId, ...slice })) : [],
      this.listByDate(filter, '-date', { limit: 0, offset: 0 }),
    ]);
    if (typeof all === 'string') return all;
    return slice.offset >= MAX_READ && slice.offset < all.total
      ? 'page'
      : { items: rows.map(SUMMARY.toEntity), total: all.total };
  }

  private async read<Filter extends object, Item extends Pick<Payment, 'id' | 'status'>>(
    page: NamedStatement<Filter & Slice>,
    count: NamedStatement<Filter>,
    filter: Filter,
    { limit, offset }: Slice,
    toItem: (row: object) => Item,
  ): Promise<Listed<Item>> {
    const [rows, [counted]] = await Promise.all([
      this.sql.query<object>(page.text, page.values({ ...filter, limit, offset })),
      this.sql.query<{ total: string }>(count.text, count.values(filter)),
    ]);
    return { items: await this.setStatuses(rows.map(toItem)), total: Number(counted?.total ?? 0) };
  }

  /** A list must not say of a payment what only a writer of the database says. */
  private async setStatuses<Item extends Pick<Payment, 'id' | 'status'>>(items: Item[]): Promise<Item[]> {
    const statusOf = await this.history.authenticStatuses(items.map(({ id }) => id));
    for (const item of items) item.status = statusOf(item.id);
    return items;
  }
}

/** A row of a page; one without a payment if the page is empty. */
interface PageRow {
  total: string;
  id: string | null;
}

function listedOf(rows: readonly PageRow[]): Listed<PaymentSummary> {
  return {
    items: rows.filter(({ id }) => id !== null).map(SUMMARY.toEntity),
    total: Number(rows[0]?.total ?? 0),
  };
}

/** The filter that leads to few payments; null: none of them does. */
function sourceOf({ search, reference, hasUnmatchedFunds }: PaymentFilter): Source | null {
  if (search !== null) return 'search';
  if (reference !== null) return 'reference';
  return hasUnmatchedFunds === true ? 'unmatchedFunds' : null;
}

function entryOf({ applicationId, statuses }: PaymentFilter): DateEntry {
  // Only one status is in the order of the list.
  if (statuses?.length === 1) return 'status';
  return applicationId === null ? 'owner' : 'application';
}

function patternOf({ search }: PaymentExportFilter): string | null {
  return search === null ? null : `${search.replace(/[\\%_]/g, '\\$&')}%`;
}
