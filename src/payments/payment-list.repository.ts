import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { type NamedStatement, namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { ExportPlace } from '../platform/http/exports.service.js';
import { CONDITIONS, type PaymentConditions } from './payment-overview.repository.js';
import type { PaymentSort } from './payment-requests.contract.js';
import { PaymentEntity } from './payment.entity.js';
import type { Payment, PaymentSummary } from './payment.pure.js';

const SUMMARY_COLUMNS = [
  'id',
  'status',
  'reference',
  'referenceLabel',
  'currencyCode',
  'amount',
  'createdAt',
] as const;
const SUMMARY = columnsOf(PaymentEntity, 'p', SUMMARY_COLUMNS);
const WAITING = columnsOf(PaymentEntity, 'p', [...SUMMARY_COLUMNS, 'receivedAt']);

interface Slice {
  limit: number;
  offset: number;
}

/** What a list or an export is restricted to; null: not by that. */
export interface PaymentFilter extends PaymentConditions {
  applicationId: string | null;
  reference: string | null;
  /** Part of a reference or label, or a whole payment id, transaction hash or address. */
  search: string | null;
}

// The pattern is the search with its wildcards escaped.
const FILTER = `
  from payments p
  where p.user_id = :userId
    and (:applicationId::uuid is null or p.application_id = :applicationId)
    and (:reference::text is null or p.reference = :reference)
    and (:search::text is null or p.reference ilike :pattern or p.reference_label ilike :pattern
      or p.id::text = lower(:search)
      or exists (select from payment_transfers t where t.payment_id = p.id and t.tx_hash = lower(:search))
      or exists (select from deposit_addresses d where d.payment_id = p.id and lower(d.address) = lower(:search)))
    ${CONDITIONS}`;
type FilterParameters = PaymentFilter & { pattern: string | null };
const COUNT = namedStatement<FilterParameters>(`select count(*) as total ${FILTER}`);
/** One static statement per order. The id breaks ties, so that pages never overlap. */
const pageBy = (order: string) =>
  namedStatement<FilterParameters & Slice>(
    `select ${SUMMARY.list} ${FILTER} order by ${order} limit :limit offset :offset`,
  );
const PAGES: Record<PaymentSort, NamedStatement<FilterParameters & Slice>> = {
  date: pageBy('p.created_at, p.id'),
  '-date': pageBy('p.created_at desc, p.id desc'),
  amount: pageBy('p.amount, p.id'),
  '-amount': pageBy('p.amount desc, p.id desc'),
  status: pageBy('p.status, p.id'),
  '-status': pageBy('p.status desc, p.id desc'),
};

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
] as const;
const EXPORTED = columnsOf(PaymentEntity, 'p', EXPORTED_COLUMNS);
/** From the index payments_owner, in its order: a page costs the same wherever it begins. */
const EXPORT = namedStatement<FilterParameters & { at: Date; id: string; limit: number }>(`
  select ${EXPORTED.list} ${FILTER} and (p.created_at, p.id) < (:at, :id)
  order by p.created_at desc, p.id desc limit :limit`);

/** @property applicationId null: all applications of the user */
export interface ReferenceFilter {
  userId: string;
  reference: string;
  applicationId: string | null;
}
// By the index payments_reference.
const OF_REFERENCE = `
  from payments p where p.user_id = :userId and p.reference = :reference
    and (:applicationId::uuid is null or p.application_id = :applicationId)`;
const COUNT_OF_REFERENCE = namedStatement<ReferenceFilter>(`select count(*) as total ${OF_REFERENCE}`);
const PAGE_OF_REFERENCE = namedStatement<ReferenceFilter & Slice>(`
  select ${SUMMARY.list} ${OF_REFERENCE} order by p.created_at desc, p.id desc limit :limit offset :offset`);

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

/** A payment as it is read for an export. */
export type ExportedPayment = Pick<Payment, (typeof EXPORTED_COLUMNS)[number]>;

/** A payment in RECEIVED, and since when. */
export type WaitingPayment = PaymentSummary & Pick<Payment, 'receivedAt'>;

/** One page of a list, and how many entries the list has. */
export interface Listed<Item> {
  items: Item[];
  total: number;
}

/** The lists of payments that merchants see. */
@Injectable()
export class PaymentListRepository {
  constructor(private readonly sql: Sql) {}

  list(filter: PaymentFilter, sort: PaymentSort, slice: Slice): Promise<Listed<PaymentSummary>> {
    return this.read(PAGES[sort], COUNT, withPattern(filter), slice, SUMMARY.toEntity);
  }

  /** The next payments after a place, newest first. */
  async listAfter(filter: PaymentFilter, { at, id }: ExportPlace, limit: number): Promise<ExportedPayment[]> {
    const values = EXPORT.values({ ...withPattern(filter), at, id, limit });
    return (await this.sql.query<object>(EXPORT.text, values)).map(EXPORTED.toEntity);
  }

  listByReference(filter: ReferenceFilter, slice: Slice): Promise<Listed<PaymentSummary>> {
    return this.read(PAGE_OF_REFERENCE, COUNT_OF_REFERENCE, filter, slice, SUMMARY.toEntity);
  }

  /** Those of the payments that are the user's, in no order. */
  async listByIds(userId: string, ids: readonly string[]): Promise<PaymentSummary[]> {
    if (ids.length === 0) return [];
    return (await this.sql.query<object>(OF_IDS, [userId, ids])).map(SUMMARY.toEntity);
  }

  /** Payments in RECEIVED that await acknowledgement, the longest waiting first. */
  listUnacknowledged(filter: ApplicationFilter, slice: Slice): Promise<Listed<WaitingPayment>> {
    return this.read(PAGE_UNACKNOWLEDGED, COUNT_UNACKNOWLEDGED, filter, slice, WAITING.toEntity);
  }

  private async read<Filter extends object, Item>(
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
    return { items: rows.map(toItem), total: Number(counted?.total ?? 0) };
  }
}

function withPattern(filter: PaymentFilter): FilterParameters {
  const { search } = filter;
  return { ...filter, pattern: search === null ? null : `%${search.replace(/[\\%_]/g, '\\$&')}%` };
}
