import { Injectable } from '@nestjs/common';
import { bulkInsert } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { StrayReceiptEntity } from './stray-receipt.entity.js';

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

/** What came to addresses that no payment has. */
@Injectable()
export class StrayReceiptRepository {
  constructor(private readonly sql: Sql) {}

  /** A block that is read again says the same again. */
  async insert(receipts: StrayReceiptEntity[]): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values(receipts));
  }
}
