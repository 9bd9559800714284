import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import type { Place } from '../platform/web/http/keyset-cursor.pure.js';
import type { ForeignRow } from '../payments/audit/foreign-rows.service.js';
import { PaymentIntegrityError } from '../payments/audit/payment-integrity.pure.js';
import { REFUND_HISTORY, RefundHistoryEntity } from './refund-history.entity.js';
import { RefundEntity, REFUNDS } from './refund.entity.js';

/** A refund as it is read. */
export type RefundRow = Omit<RefundEntity, 'mac' | 'txCredited'>;
type HistoryRow = Omit<RefundHistoryEntity, 'mac'>;

const REFUND = columnsOf(RefundEntity, 'r', [...REFUNDS.fields, 'nextCheckAt', 'mac']);
const ENTRY = columnsOf(RefundHistoryEntity, 'newest', [...REFUND_HISTORY.fields, 'mac'], 'newest.');
/** The columns of a refund `r` and of its newest entry. */
export const REFUND_COLUMNS = `${REFUND.list}, ${ENTRY.list}`;
/** To be joined to a refund `r`. In the same statement, because it must say what the refund does. */
export const REFUND_NEWEST = `left join lateral (
    select h.* from refund_history h where h.refund_id = r.id order by h.seq desc limit 1) newest on true`;
const OF_PAYMENTS = `
  select ${REFUND.list}, ${ENTRY.list} from refunds r left join refund_history newest on newest.refund_id = r.id
  where r.payment_id = any($1::uuid[]) order by newest.refund_id, newest.seq`;

/** Rows of refunds, and whether the gateway wrote them as they are (docs/decisions/0878-seal-refunds.md). */
@Injectable()
export class RefundRows {
  private readonly refunds: AuthenticatedRows<RefundEntity, (typeof REFUNDS.fields)[number]>;
  private readonly history: AuthenticatedRows<RefundHistoryEntity, (typeof REFUND_HISTORY.fields)[number]>;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.refunds = authenticator.register(REFUNDS);
    this.history = authenticator.register(REFUND_HISTORY);
  }

  macOf(refund: RefundRow, changes: Partial<RefundRow> = {}): string {
    return this.refunds.mac(refund, changes);
  }

  macOfEntry(entry: HistoryRow): string {
    return this.history.mac(entry);
  }

  /** @param row of {@link REFUND_COLUMNS}. @throws PaymentIntegrityError */
  get(row: object): RefundRow {
    const refund = this.find(row);
    if (!refund) throw new PaymentIntegrityError();
    return refund;
  }

  /** {@link get}, or null; it is reported then. */
  find(row: object): RefundRow | null {
    const { mac, ...refund } = REFUND.toEntity(row);
    return this.refunds.isAuthentic({ ...refund, mac }) && this.isSaid(refund, row) ? refund : null;
  }

  /**
   * Those of a list that are authentic, and as many as asked for if there are.
   * @param read the rows after a place
   */
  async fill<Row extends object>(
    read: (after: Place, limit: number) => Promise<Row[]>,
    after: Place,
    limit: number,
  ): Promise<{ row: Row; refund: RefundRow }[]> {
    const filled: { row: Row; refund: RefundRow }[] = [];
    let place = after;
    for (;;) {
      const missing = limit - filled.length;
      const rows = await read(place, missing);
      for (const row of rows) {
        const refund = this.find(row);
        if (refund) filled.push({ row, refund });
      }
      const last = rows.at(-1);
      if (!last || rows.length < missing || filled.length === limit) return filled;
      const { createdAt: at, id } = REFUND.toEntity(last);
      place = { at, id };
    }
  }

  /** The refunds of some payments with all their entries: those that are not authentic. One statement, sent at once. */
  async listForeign(paymentIds: readonly string[]): Promise<ForeignRow[]> {
    const rows = await this.sql.query<{ id: string; paymentId: string }>(OF_PAYMENTS, [paymentIds]);
    return rows.flatMap((row, i) => {
      const refund = REFUND.toEntity(row);
      const { id, paymentId } = row;
      // All rows of a refund have its columns; its newest entry comes last.
      const isLast = rows[i + 1]?.id !== id;
      const isAuthentic = this.refunds.isAuthentic(refund);
      const isEntry = isLast ? this.isSaid(refund, row) : this.history.isAuthentic(ENTRY.toEntity(row));
      return [
        ...(isAuthentic ? [] : [{ paymentId, subject: `refunds ${id}` }]),
        ...(isEntry ? [] : [{ paymentId, subject: `refund_history ${id}` }]),
      ];
    });
  }

  /** The newest entry must say what the row does: an earlier row of the refund has a MAC as well. */
  private isSaid({ id, statusSeq: seq, status: toStatus, address, txHash }: RefundRow, row: object): boolean {
    const newest = ENTRY.toEntity(row);
    // Without one, the columns of the join are null.
    if (newest.seq === seq && !this.history.isAuthentic(newest)) return false;
    const isSame = newest.toStatus === toStatus && newest.address === address && newest.txHash === txHash;
    if (newest.seq === seq && isSame) return true;
    this.history.reportMissing(id, String(seq));
    return false;
  }
}
