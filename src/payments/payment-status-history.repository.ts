import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { PaymentStatusHistoryEntity } from './payment-status-history.entity.js';

const INSERT = bulkInsert(PaymentStatusHistoryEntity, [
  'paymentId',
  'seq',
  'fromStatus',
  'toStatus',
  'reason',
  'createdAt',
]);
const ENTRY = columnsOf(PaymentStatusHistoryEntity, 'h');
const LIST = `
  select ${ENTRY.list} from payment_status_history h
  where h.payment_id = any($1::uuid[]) order by h.payment_id, h.seq`;

/** The moves of payments. A payment's first entry is written with it ({@link PaymentRepository}). */
@Injectable()
export class PaymentStatusHistoryRepository {
  constructor(private readonly sql: Sql) {}

  async insert(entries: readonly PaymentStatusHistoryEntity[]): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values(entries));
  }

  /** The history of some payments, each in order. */
  async listByPayments(paymentIds: readonly string[]): Promise<PaymentStatusHistoryEntity[]> {
    return (await this.sql.query<object>(LIST, [paymentIds])).map(ENTRY.toEntity);
  }
}
