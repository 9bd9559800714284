import { Injectable } from '@nestjs/common';
import { byIds } from '../platform/database/by-ids.pure.js';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import type { PaymentStatus } from './payment-status.pure.js';
import type { Payment } from './payment.pure.js';
import { PAYMENT_STATUS_HISTORY, PaymentStatusHistoryEntity } from './payment-status-history.entity.js';

/** An entry as it is written. */
export type HistoryRow = Omit<PaymentStatusHistoryEntity, 'mac'>;
/** An entry as it is stored. */
export type StoredEntry = PaymentStatusHistoryEntity;
/** What the row of a payment says about its status. */
type PlacedStatus = Pick<Payment, 'id' | 'status' | 'statusSeq'>;

const INSERT = bulkInsert(PaymentStatusHistoryEntity, [...PAYMENT_STATUS_HISTORY.fields, 'mac']);
const ENTRY = columnsOf(PaymentStatusHistoryEntity, 'h');
const STORED = columnsOf(PaymentStatusHistoryEntity, 'h', [...PAYMENT_STATUS_HISTORY.fields, 'mac']);
const NEWEST = byIds(
  (among) => `
  select distinct on (h.payment_id) ${STORED.list} from payment_status_history h
  where h.payment_id ${among} order by h.payment_id, h.seq desc`,
);
const STORED_ENTRIES = `
  select ${STORED.list} from payment_status_history h
  where h.payment_id = any($1::uuid[]) order by h.payment_id, h.seq desc`;
const LIST = `
  select ${ENTRY.list} from payment_status_history h
  where h.payment_id = any($1::uuid[]) order by h.payment_id, h.seq`;

/** The moves of payments. A payment's first entry is written with it ({@link PaymentRepository}). */
@Injectable()
export class PaymentStatusHistoryRepository {
  private readonly authenticated: AuthenticatedRows<
    PaymentStatusHistoryEntity,
    (typeof PAYMENT_STATUS_HISTORY.fields)[number]
  >;

  constructor(
    private readonly sql: Sql,
    authenticator: RowAuthenticator,
  ) {
    this.authenticated = authenticator.register(PAYMENT_STATUS_HISTORY);
  }

  async insert(entries: readonly HistoryRow[]): Promise<void> {
    const rows = entries.map((entry) => ({ ...entry, mac: this.macOf(entry) }));
    await this.sql.query(INSERT.text, INSERT.values(rows));
  }

  macOf(entry: HistoryRow): string {
    return this.authenticated.mac(entry);
  }

  /** Whether the newest entry of a payment is as the gateway wrote it, and says what its row does; reported if not. */
  says(payment: PlacedStatus, newest: StoredEntry | null | undefined): boolean {
    if (newest && !this.authenticated.isAuthentic(newest)) return false;
    if (newest?.seq === payment.statusSeq && newest.toStatus === payment.status) return true;
    this.authenticated.reportMissing(payment.id, String(payment.statusSeq));
    return false;
  }

  /** The newest entry of each payment, as it is stored. One statement, sent at once. */
  async newestOf(paymentIds: readonly string[]): Promise<Map<string, StoredEntry>> {
    const rows = (await this.sql.query<object>(...NEWEST(paymentIds))).map(STORED.toEntity);
    return new Map(rows.map((entry) => [entry.paymentId, entry]));
  }

  /** For lists: of each payment the newest status that the gateway itself wrote; without one, it is as it began. */
  async authenticStatuses(paymentIds: readonly string[]): Promise<(paymentId: string) => PaymentStatus> {
    const statuses = new Map<string, PaymentStatus>();
    const statusOf = (paymentId: string) => statuses.get(paymentId) ?? 'OPEN';
    if (paymentIds.length === 0) return statusOf;
    const rows = (await this.sql.query<object>(STORED_ENTRIES, [paymentIds])).map(STORED.toEntity);
    for (const entry of rows)
      if (!statuses.has(entry.paymentId) && this.authenticated.isAuthentic(entry))
        statuses.set(entry.paymentId, entry.toStatus);
    return statusOf;
  }

  /** The history of some payments, each in order. */
  async listByPayments(paymentIds: readonly string[]): Promise<HistoryRow[]> {
    return (await this.sql.query<object>(LIST, [paymentIds])).map(ENTRY.toEntity);
  }
}
