import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../platform/database/entity-sql.js';
import { namedStatement } from '../../platform/database/named-statement.pure.js';
import { Sql } from '../../platform/database/sql.js';
import type { ExportPlace } from '../../platform/web/http/exports.service.js';
import type { RefundStatus } from '../refund-status.pure.js';
import { RefundEntity } from '../refund.entity.js';

const REFUND = columnsOf(RefundEntity, 'r');

/** What an export of refunds is restricted to; null: not by that. */
export interface RefundFilter {
  userId: string;
  applicationId: string | null;
  status: RefundStatus | null;
  from: Date | null;
}

/** A refund with what an export needs of its payment. */
export type ExportedRefund = RefundEntity & OfPayment;
interface OfPayment {
  applicationId: string;
  reference: string;
  currencyCode: string;
}

/** From the index refunds_owner, in its order: a page costs the same wherever it begins. */
const EXPORT = namedStatement<RefundFilter & ExportPlace & { limit: number }>(`
  select ${REFUND.list}, p.application_id as "applicationId", p.reference, p.currency_code as "currencyCode"
  from refunds r join payments p on p.id = r.payment_id
  where r.user_id = :userId and (r.created_at, r.id) < (:at, :id)
    and (:applicationId::uuid is null or p.application_id = :applicationId)
    and (:status::text is null or r.status = :status)
    and (:from::timestamptz is null or r.created_at >= :from)
  order by r.created_at desc, r.id desc limit :limit`);

/** Refunds of all payments of a user, for exports. */
@Injectable()
export class RefundExportRepository {
  constructor(private readonly sql: Sql) {}

  /** The next refunds after a place, newest first. */
  async listAfter(filter: RefundFilter, { at, id }: ExportPlace, limit: number): Promise<ExportedRefund[]> {
    const rows = await this.sql.query<OfPayment>(EXPORT.text, EXPORT.values({ ...filter, at, id, limit }));
    return rows.map((row) => {
      const { applicationId, reference, currencyCode } = row;
      return { ...REFUND.toEntity(row), applicationId, reference, currencyCode };
    });
  }
}
