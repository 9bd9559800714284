import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { StrayReceiptEntity } from './stray-receipt.entity.js';

const RECEIPT = columnsOf(StrayReceiptEntity, 's');
const INSERT = bulkInsert(
  StrayReceiptEntity,
  [
    'walletId',
    'derivationIndex',
    'chain',
    'txHash',
    'ordinal',
    'address',
    'currencyCode',
    'decimals',
    'amount',
    'seenAt',
  ],
  'on conflict do nothing',
);
const NEWEST = `
  select ${RECEIPT.list} from unnest($1::uuid[]) as asked (id) cross join lateral (
    select * from stray_receipts own where own.wallet_id = asked.id order by own.seen_at desc, own.tx_hash limit $2) s`;

/** What came to addresses that no payment has. */
@Injectable()
export class StrayReceiptRepository {
  constructor(private readonly sql: Sql) {}

  /** A block that is read again says the same again. */
  async insert(receipts: StrayReceiptEntity[]): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values(receipts));
  }

  /** The newest of each wallet. @param limit of each */
  async listNewest(walletIds: readonly string[], limit: number): Promise<StrayReceiptEntity[]> {
    const rows = await this.sql.query<object>(NEWEST, [walletIds, limit]);
    return rows.map((row) => RECEIPT.toEntity(row));
  }
}
