import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { AuthenticatedRows } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { PAYMENT_STATUS_HISTORY, PaymentStatusHistoryEntity } from './payment-status-history.entity.js';

/** An entry as it is written. */
export type HistoryRow = Omit<PaymentStatusHistoryEntity, 'mac'>;

const INSERT = bulkInsert(PaymentStatusHistoryEntity, [...PAYMENT_STATUS_HISTORY.fields, 'mac']);
const ENTRY = columnsOf(PaymentStatusHistoryEntity, 'h');
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

  /** The history of some payments, each in order. */
  async listByPayments(paymentIds: readonly string[]): Promise<HistoryRow[]> {
    return (await this.sql.query<object>(LIST, [paymentIds])).map(ENTRY.toEntity);
  }
}
