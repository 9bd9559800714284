import { Injectable } from '@nestjs/common';
import { type NamedStatement, namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { ExportOrder, ExportPlace } from '../../platform/web/http/exports.service.js';
import type { RefundStatus } from '../refund-status.pure.js';
import { REFUND_COLUMNS, REFUND_NEWEST, type RefundRow, RefundRows } from '../refund-rows.repository.js';

/** What an export of refunds is restricted to; null: not by that. */
export interface RefundFilter {
  userId: string;
  applicationId: string | null;
  status: RefundStatus | null;
  from: Date | null;
  until: Date;
  /** Completed from the first time on and before the second. */
  completed: readonly [from: Date, to: Date] | null;
  /** Neither completed nor given up. */
  isOpen: boolean;
}

/** A refund with what an export needs of its payment. */
export type ExportedRefund = RefundRow & OfPayment;
interface OfPayment {
  applicationId: string;
  reference: string;
  referenceLabel: string;
  currencyCode: string;
}

const OPEN = `r.status not in ('COMPLETED', 'CANCELLED', 'EXPIRED')`;
type Parameters = Omit<RefundFilter, 'completed'> &
  ExportPlace & { limit: number; completedFrom: Date | null; completedTo: Date | null };
/** From the index refunds_owner, in its order: a page costs the same wherever it begins. */
const exported = (after: '<' | '>', direction: 'asc' | 'desc'): NamedStatement<Parameters> =>
  namedStatement(`
  select ${REFUND_COLUMNS}, p.application_id as "applicationId", p.reference, p.currency_code as "currencyCode",
    p.reference_label as "referenceLabel"
  from refunds r join payments p on p.id = r.payment_id ${REFUND_NEWEST}
  where r.user_id = :userId and (r.created_at, r.id) ${after} (:at, :id) and r.created_at <= :until
    and (:completedFrom::timestamptz is null or r.status = 'COMPLETED' and r.completed_at >= :completedFrom)
    and (:completedTo::timestamptz is null or r.completed_at < :completedTo)
    and (not :isOpen::boolean or ${OPEN})
    and (:applicationId::uuid is null or p.application_id = :applicationId)
    and (:status::text is null or r.status = :status)
    and (:from::timestamptz is null or r.created_at >= :from)
  order by r.created_at ${direction}, r.id ${direction} limit :limit`);
const EXPORTS = { 'newest-first': exported('<', 'desc'), 'oldest-first': exported('>', 'asc') };

/** Refunds of all payments of a user, for exports. */
@Injectable()
export class RefundExportRepository {
  constructor(
    private readonly sql: Sql,
    private readonly rows: RefundRows,
  ) {}

  /** The next refunds after a place; those that are not authentic are left out. */
  async listAfter(
    { completed, ...filter }: RefundFilter,
    after: ExportPlace,
    limit: number,
    order: ExportOrder,
  ): Promise<ExportedRefund[]> {
    const [completedFrom, completedTo] = completed ?? [null, null];
    const { text, values } = EXPORTS[order];
    const read = ({ at, id }: ExportPlace, most: number) =>
      this.sql.query<OfPayment>(text, values({ ...filter, completedFrom, completedTo, at, id, limit: most }));
    return (await this.rows.fill(read, after, limit)).map(({ row, refund }) => {
      const { applicationId, reference, referenceLabel, currencyCode } = row;
      return { ...refund, applicationId, reference, referenceLabel, currencyCode };
    });
  }
}
