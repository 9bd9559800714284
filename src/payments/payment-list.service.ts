import { Injectable } from '@nestjs/common';
import type { Principal } from '../platform/security/auth.js';
import { Page, type PageQuery } from '../platform/http/pagination.js';
import { Sql } from '../platform/database/sql.js';
import { columnsOf } from '../platform/database/entity-sql.js';
import { PaymentEntity } from './payment.entity.js';
import type {
  ListPaymentsQuery,
  PaymentsByReferenceQuery,
  PaymentSort,
} from './payment-requests.contract.js';
import type { Payment, PaymentSummary } from './payment.pure.js';

const SUMMARY = columnsOf(PaymentEntity, 'p', [
  'id',
  'status',
  'reference',
  'referenceLabel',
  'currencyCode',
  'amount',
  'createdAt',
]);

// Absent filters are null. `search` is escaped for like by the caller ($9) and also tried as a whole id, hash or address.
const FILTER = `
  from payments p
  where p.user_id = $1
    and ($2::uuid is null or p.application_id = $2)
    and ($3::text[] is null or p.status = any($3))
    and ($4::text is null or p.reference = $4)
    and ($5::text is null or p.currency_code = $5)
    and ($6::timestamptz is null or p.created_at >= $6)
    and ($7::timestamptz is null or p.created_at <= $7)
    and ($8::text is null or p.reference ilike $9 or p.reference_label ilike $9 or p.id::text = lower($8)
      or exists (select from payment_transfers t where t.payment_id = p.id and t.tx_hash = lower($8))
      or exists (select from deposit_addresses d where d.payment_id = p.id and lower(d.address) = lower($8)))
    and ($10::boolean is null or $10 = exists (select from payment_transfers t
      where t.payment_id = p.id and not t.is_matched and t.state in ('pending', 'confirmed')))`;
const COUNT = `select count(*) as total ${FILTER}`;
const COLUMNS = `select ${SUMMARY.list} ${FILTER}`;
/** One static statement an order; the id breaks ties, so that pages never overlap. */
const PAGES: Record<PaymentSort, string> = {
  date: `${COLUMNS} order by p.created_at, p.id limit $11 offset $12`,
  '-date': `${COLUMNS} order by p.created_at desc, p.id desc limit $11 offset $12`,
  amount: `${COLUMNS} order by p.amount, p.id limit $11 offset $12`,
  '-amount': `${COLUMNS} order by p.amount desc, p.id desc limit $11 offset $12`,
  status: `${COLUMNS} order by p.status, p.id limit $11 offset $12`,
  '-status': `${COLUMNS} order by p.status desc, p.id desc limit $11 offset $12`,
};

// By the index payments_reference; $3 is null for all applications of the owner.
const OF_REFERENCE = `
  from payments p where p.user_id = $1 and p.reference = $2 and ($3::uuid is null or p.application_id = $3)`;
const COUNT_OF_REFERENCE = `select count(*) as total ${OF_REFERENCE}`;
const PAGE_OF_REFERENCE = `select ${SUMMARY.list} ${OF_REFERENCE} order by p.created_at desc, p.id desc limit $4 offset $5`;

const WAITING = columnsOf(PaymentEntity, 'p', [
  'id',
  'status',
  'reference',
  'referenceLabel',
  'currencyCode',
  'amount',
  'createdAt',
  'receivedAt',
]);
const UNACKNOWLEDGED = `
  from payments p
  where p.user_id = $1 and p.application_id = $2 and p.status = 'RECEIVED' and p.acknowledged_at is null`;
const COUNT_UNACKNOWLEDGED = `select count(*) as total ${UNACKNOWLEDGED}`;
const PAGE_UNACKNOWLEDGED = `
  select ${WAITING.list} ${UNACKNOWLEDGED} order by p.received_at, p.id limit $3 offset $4`;

/** A payment in RECEIVED, and since when. */
export type WaitingPayment = PaymentSummary & Pick<Payment, 'receivedAt'>;

/** The merchant's list of payments (specification/payments.md#list). */
@Injectable()
export class PaymentListService {
  constructor(private readonly sql: Sql) {}

  /**
   * Payments of deleted applications are included; an unknown application gives an empty page
   * (specification/payments.md#list).
   */
  async list(userId: string, query: ListPaymentsQuery): Promise<Page<PaymentSummary>> {
    const filter = [
      userId,
      query.paymentApplicationId ?? null,
      query.status ?? null,
      query.reference ?? null,
      query.currencyCode ?? null,
      query.dateFrom ?? null,
      query.dateTo ?? null,
      query.search ?? null,
      query.search === undefined ? null : `%${query.search.replace(/[\\%_]/g, '\\$&')}%`,
      query.unmatchedFunds ?? null,
    ];
    const [rows, [counted]] = await Promise.all([
      this.sql.query<object>(PAGES[query.sort], [...filter, query.limit, query.offset]),
      this.sql.query<{ total: string }>(COUNT, filter),
    ]);
    return Page.of(rows.map(SUMMARY.toEntity), Number(counted?.total ?? 0), query);
  }

  /** What goes by a reference, which need not be unique; newest first. A client token sees its application's only. */
  async listByReference(
    principal: Principal,
    query: PaymentsByReferenceQuery,
  ): Promise<Page<PaymentSummary>> {
    const applicationId = principal.kind === 'client' ? principal.applicationId : null;
    const wanted = [principal.userId, query.reference, applicationId];
    const [rows, [counted]] = await Promise.all([
      this.sql.query<object>(PAGE_OF_REFERENCE, [...wanted, query.limit, query.offset]),
      this.sql.query<{ total: string }>(COUNT_OF_REFERENCE, wanted),
    ]);
    return Page.of(rows.map(SUMMARY.toEntity), Number(counted?.total ?? 0), query);
  }

  /** Payments in RECEIVED that the application's endpoint has not acknowledged, the longest waiting first. */
  async listUnacknowledged(
    userId: string,
    applicationId: string,
    page: PageQuery,
  ): Promise<Page<WaitingPayment>> {
    const filter = [userId, applicationId];
    const [rows, [counted]] = await Promise.all([
      this.sql.query<object>(PAGE_UNACKNOWLEDGED, [...filter, page.limit, page.offset]),
      this.sql.query<{ total: string }>(COUNT_UNACKNOWLEDGED, filter),
    ]);
    return Page.of(rows.map(WAITING.toEntity), Number(counted?.total ?? 0), page);
  }
}
