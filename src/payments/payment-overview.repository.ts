import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { type NamedStatement, namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import type { Place } from '../platform/web/http/keyset-cursor.pure.js';
import type { NewestEvent } from './payment-attention.pure.js';
import type { PaymentStatus } from './payment-status.pure.js';
import { PaymentEntity } from './payment.entity.js';
import type { ReviewReason } from './payment.pure.js';
import { IS_FOUND } from './payment-search.repository.js';
import { IS_LATE, IS_UNMATCHED, WITH_LATE, WITH_UNMATCHED } from './transfers/waiting-funds.pure.js';
import {
  IS_UNLISTED,
  SQL_FUNDS_AFTER_END,
  SQL_MAY_BE_TWICE,
  SQL_OWED,
  SQL_PROMISED,
  SQL_TWIN,
} from './too-much/too-much-sql.repository.js';
import { type CountedTransfers, TRANSFER_COUNT } from './transfers/summed-transfer.repository.js';

const OVERVIEW = columnsOf(PaymentEntity, 'p', [
  'id',
  'applicationId',
  'status',
  'reference',
  'referenceLabel',
  'currencyCode',
  'amount',
  'createdAt',
  'expiresAt',
  'selectedProvider',
  'selectedMethod',
  'receivedAmount',
  'underpaidAmount',
  'overpaidAmount',
  'refundedAmount',
  'reviewReason',
  'keptAmount',
  'overpayAcceptedAt',
  'twiceKeptAt',
  'paidLateAt',
  'lateKeptAt',
]);
type OverviewColumns = ReturnType<typeof OVERVIEW.toEntity>;

/** What lists and exports are restricted to; null: not by that. */
export interface PaymentConditions {
  userId: string;
  statuses: readonly PaymentStatus[] | null;
  blockchain: string | null;
  /** Code of a coin in lower case, as payments store the choice. */
  method: string | null;
  currencyCode: string | null;
  amountFrom: bigint | null;
  amountTo: bigint | null;
  dateFrom: Date | null;
  dateTo: Date | null;
  reviewReason: ReviewReason | null;
  isLate: boolean | null;
  isExpiredWithFunds: boolean | null;
  isOverpaid: boolean | null;
  hasUnmatchedFunds: boolean | null;
  now: Date;
}

export type OverviewFilter = PaymentConditions & { applicationIds: readonly string[] | null };

/** A row of the list without its transfers. */
export interface OverviewRow {
  payment: OverviewColumns;
  newestEvent: NewestEvent | null;
  hasFailedRefund: boolean;
  hasWaitingRefund: boolean;
  hasUnmatchedFunds: boolean;
  hasLateFunds: boolean;
  /** Sum of the refunds that are neither cancelled nor expired. */
  promised: bigint;
  hasTwin: boolean;
  hasFundsAfterEnd: boolean;
  hasUnlistedToken: boolean;
  counted: CountedTransfers;
}

const LATE = `select key from (${WITH_LATE}) late`;
const UNMATCHED = `select key from (${WITH_UNMATCHED}) unmatched`;
// With an order and OFFSET 0, transfers are looked up by their index, which leads past those of a flood.
const hasTransfer = (is: string) => `exists (select from payment_transfers t
  where t.user_id = p.user_id and t.payment_id = p.id and ${is} order by t.seen_at offset 0)`;
const [HAS_UNMATCHED, HAS_LATE] = [hasTransfer(IS_UNMATCHED), hasTransfer(IS_LATE)];
const EXPIRED_WITH_FUNDS = `p.status in ('FOUND', 'UNDERPAID') and p.expires_at < :now`;

/** {@link PaymentConditions} but the user, of `payments p`. */
export const CONDITIONS = `
  and (:statuses::text[] is null or p.status = any(:statuses))
  and (:blockchain::text is null or p.selected_provider = :blockchain)
  and (:method::text is null or p.selected_method = :method)
  and (:currencyCode::text is null or p.currency_code = :currencyCode)
  and (:amountFrom::numeric is null or p.amount >= :amountFrom)
  and (:amountTo::numeric is null or p.amount <= :amountTo)
  and (:dateFrom::timestamptz is null or p.created_at >= :dateFrom)
  and (:dateTo::timestamptz is null or p.created_at <= :dateTo)
  and (:reviewReason::text is null or p.review_reason = :reviewReason)
  and (:isLate::boolean is null or :isLate = ${HAS_LATE})
  and (:isExpiredWithFunds::boolean is null or :isExpiredWithFunds = (${EXPIRED_WITH_FUNDS}))
  and (:isOverpaid::boolean is null or :isOverpaid = coalesce(${SQL_OWED}, false))
  and (:hasUnmatchedFunds::boolean is null or :hasUnmatchedFunds = ${HAS_UNMATCHED})`;

/** A search that finds too many payments to sort them: those down to a place are compared with it one by one. */
export interface Walk {
  /** Null: what is searched for is no id. */
  id: string | null;
  text: string;
  /** The last one. */
  downTo: Place;
}

type PageParameters = OverviewFilter & {
  afterAt: Date;
  afterId: string;
  limit: number;
  ids: readonly string[] | null;
  id: string | null;
  text: string;
  downToAt: Date;
  downToId: string;
};

/**
 * One static statement for each way into the table, so that each has a plan of its own: where a filter fits few payments,
 * its index leads; otherwise the list is read in its order.
 * @param entry the condition that leads
 * @param payments read as `p`
 */
const pageFrom = (entry: string, payments = 'payments p') =>
  namedStatement<PageParameters>(`
  with page as materialized (
    select p.* from ${payments}
    where p.user_id = :userId and ${entry} and (p.created_at, p.id) < (:afterAt::timestamptz, :afterId::uuid)
      and (:applicationIds::uuid[] is null or p.application_id = any(:applicationIds))
      ${CONDITIONS}
    order by p.created_at desc, p.id desc limit :limit
  )
  select ${OVERVIEW.list}, newest.is_dispatched, newest.delivery_state, newest.attempts,
    (p.callback_url is not null or s.callback_url is not null) as has_endpoint, coalesce(refund.has_failed, false) as has_failed, coalesce(refund.has_waiting, false) as has_waiting,
    ${HAS_UNMATCHED} as has_unmatched, ${HAS_LATE} as has_late,
    ${SQL_PROMISED('p')}::text as promised,
    case when ${SQL_MAY_BE_TWICE} then ${SQL_TWIN} is not null else false end as has_twin,
    exists (select from reported_transactions r where r.payment_id = p.id and ${IS_UNLISTED}) as has_unlisted,
    case when p.review_reason = 'funds_after_cancel' then ${SQL_FUNDS_AFTER_END} else false end as has_after_end,
    (select v.xmin::text from payments v where v.id = p.id) as version, ${TRANSFER_COUNT}
  from page p left join sites s on s.application_id = p.application_id
  left join lateral (
    select e.dispatched_at is not null as is_dispatched, d.state as delivery_state, coalesce(d.attempts, 0) as attempts
    from payment_events e left join webhook_deliveries d on d.event_id = e.id
    where e.payment_id = p.id and e.superseded_at is null and e.overtaken_at is null
      and d.state is distinct from 'superseded' and e.seq is not null
    order by e.seq desc limit 1) newest on true
  left join lateral (
    select bool_or(r.status = 'FAILED') as has_failed, bool_or(r.status = 'AWAITING_PAYMENT') as has_waiting
    from refunds r where r.payment_id = p.id) refund on true
  order by p.created_at desc, p.id desc`);

/** Looked up one by one: Postgres would read all payments of a merchant who has more of them than the others. */
const withIds = (ids: string) => `(${ids}) found (id)
    cross join lateral (select * from payments where id = found.id offset 0) p`;
const inOrder = (status: PaymentStatus) =>
  `(select * from payments where status = '${status}' order by created_at desc, id desc)`;
/** Both in the order of the list, so that Postgres merges a page from their beginnings. */
const WITH_FUNDS = `(${inOrder('FOUND')} union all ${inOrder('UNDERPAID')}) p`;

const PAGES = {
  walked: pageFrom(`(p.created_at, p.id) >= (:downToAt::timestamptz, :downToId::uuid) and ${IS_FOUND}`),
  found: pageFrom('true', withIds('select unnest(:ids::uuid[])')),
  unmatched: pageFrom('true', withIds(UNMATCHED)),
  late: pageFrom('true', withIds(LATE)),
  review: pageFrom('p.review_reason = :reviewReason'),
  expired: pageFrom(EXPIRED_WITH_FUNDS, WITH_FUNDS),
  overpaid: pageFrom(SQL_OWED),
  status: pageFrom('p.status = (:statuses::text[])[1]'),
  network: pageFrom('p.selected_provider = :blockchain'),
  all: pageFrom('true'),
} as const satisfies Record<string, NamedStatement<PageParameters>>;

/** The last of so many payments after a place, from the index of the list alone. */
const STEP = namedStatement<{ userId: string; afterAt: Date; afterId: string; count: number }>(`
  select p.created_at as at, p.id from payments p
  where p.user_id = :userId and (p.created_at, p.id) < (:afterAt::timestamptz, :afterId::uuid)
  order by p.created_at desc, p.id desc limit 1 offset :count::bigint - 1`);

interface Row extends CountedTransfers {
  /** Null without an event. */
  is_dispatched: boolean | null;
  delivery_state: string | null;
  attempts: number | null;
  has_endpoint: boolean;
  has_failed: boolean;
  has_waiting: boolean;
  has_unmatched: boolean;
  has_late: boolean;
  promised: string;
  has_twin: boolean;
  has_after_end: boolean;
  has_unlisted: boolean;
}

/** The list of payments for dashboards: everything but transfers in one statement, continued by time and id. */
@Injectable()
export class PaymentOverviewRepository {
  constructor(private readonly sql: Sql) {}

  /**
   * Newest first, after a place.
   * @param search the ids that a search has found, or a walk; null: no search
   */
  async list(
    filter: OverviewFilter,
    search: readonly string[] | Walk | null,
    after: Place,
    limit: number,
  ): Promise<OverviewRow[]> {
    const walk = search && 'downTo' in search ? search : null;
    const ids = search && 'downTo' in search ? null : search;
    const page = PAGES[walk ? 'walked' : entryOf(filter, ids)];
    const { id = null, text = '', downTo = after } = walk ?? {};
    const searched = { ids, id, text, downToAt: downTo.at, downToId: downTo.id };
    const values = page.values({ ...filter, ...searched, afterAt: after.at, afterId: after.id, limit });
    return (await this.sql.query<Row>(page.text, values)).map(readRow);
  }

  /** The last of the next so many payments; null if fewer are left. */
  async step(userId: string, after: Place, count: number): Promise<Place | null> {
    const values = STEP.values({ userId, afterAt: after.at, afterId: after.id, count });
    const [place] = await this.sql.query<Place>(STEP.text, values);
    return place ?? null;
  }
}

/** The filter that leaves the fewest payments leads. */
function entryOf(filter: OverviewFilter, ids: readonly string[] | null): keyof typeof PAGES {
  if (ids) return 'found';
  if (filter.hasUnmatchedFunds) return 'unmatched';
  if (filter.isLate) return 'late';
  if (filter.reviewReason) return 'review';
  if (filter.isExpiredWithFunds) return 'expired';
  if (filter.isOverpaid) return 'overpaid';
  // Only one status is in the order of the list.
  if (filter.statuses?.length === 1) return 'status';
  return filter.blockchain ? 'network' : 'all';
}

function readRow(row: Row): OverviewRow {
  const { is_dispatched: isDispatched, delivery_state: deliveryState, attempts } = row;
  return {
    payment: OVERVIEW.toEntity(row),
    newestEvent:
      isDispatched === null
        ? null
        : { isDispatched, hasEndpoint: row.has_endpoint, deliveryState, attempts: attempts ?? 0 },
    hasFailedRefund: row.has_failed,
    hasWaitingRefund: row.has_waiting,
    hasUnmatchedFunds: row.has_unmatched,
    hasLateFunds: row.has_late,
    promised: BigInt(row.promised),
    hasTwin: row.has_twin,
    hasFundsAfterEnd: row.has_after_end,
    hasUnlistedToken: row.has_unlisted,
    counted: row,
  };
}
