import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import type { Quote } from './payment.pure.js';
import { QuoteEntity } from './quote.entity.js';

const QUOTE = columnsOf(QuoteEntity, 'q');
const LIST = `
  select ${QUOTE.list} from quotes q where q.payment_id = any($1::uuid[]) order by q.locked_at, q.id`;
const INSERT = bulkInsert(QuoteEntity, [
  'id',
  'paymentId',
  'userId',
  'chain',
  'asset',
  'currencyCode',
  'assetDecimals',
  'pricedAmount',
  'assetAmount',
  'rate',
  'rateSource',
  'rateInputs',
  'settlementRate',
  'isLate',
  'lockedAt',
  'expiresAt',
  'acceptedTransferId',
  'acceptedBy',
  'acceptedTokenId',
]);

/** Rate locks of payments. Rows are never changed. */
@Injectable()
export class QuoteRepository {
  constructor(private readonly sql: Sql) {}

  /** The quotes of some payments, oldest first. One statement, sent at once. */
  async listByPayments(paymentIds: readonly string[]): Promise<(Quote & { paymentId: string })[]> {
    return (await this.sql.query<object>(LIST, [paymentIds])).map(QUOTE.toEntity);
  }

  async insert(quote: QuoteEntity): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values([quote]));
  }
}
