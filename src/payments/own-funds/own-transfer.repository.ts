import { Injectable } from '@nestjs/common';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { Keyring } from '../../platform/kernel/keyring.js';
import { OWN_TRANSFER, OwnTransferEntity } from './own-transfer.entity.js';

const COLUMNS = columnsOf(OwnTransferEntity, 'o');
const INSERT = bulkInsert(
  OwnTransferEntity,
  [
    'id',
    'userId',
    'paymentId',
    'depositAddressId',
    'chain',
    'txHash',
    'ordinal',
    'sender',
    'currencyCode',
    'decimals',
    'amount',
    'blockHeight',
    'blockHash',
    'blockTime',
    'mac',
  ],
  'on conflict (chain, tx_hash, ordinal) do nothing',
);
const DELETE_ABOVE = 'delete from own_transfers where chain = $1 and block_height > $2';
const OF_PAYMENTS = `
  select ${COLUMNS.list} from own_transfers o where o.payment_id = any($1::uuid[]) order by o.payment_id, o.id`;

/** What accounts for fees have sent to addresses of their own keys. */
@Injectable()
export class OwnTransferRepository {
  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
  ) {}

  /** A block that is read again says the same again. */
  async insert(transfers: readonly Omit<OwnTransferEntity, 'mac'>[]): Promise<void> {
    if (transfers.length === 0) return;
    const { purpose, fieldsOf } = OWN_TRANSFER;
    const rows = transfers.map((row) => ({ ...row, mac: this.keyring.mac(purpose, fieldsOf(row)) }));
    await this.sql.query(INSERT.text, INSERT.values(rows));
  }

  /** What a reorganization takes back; the blocks that replace those say it again. */
  async deleteAbove(chain: string, height: number): Promise<void> {
    await this.sql.query(DELETE_ABOVE, [chain, height]);
  }

  /** Each with whether the gateway wrote it as it is. */
  async listOfPayments(
    paymentIds: readonly string[],
  ): Promise<(OwnTransferEntity & { isAuthentic: boolean })[]> {
    const { purpose, fieldsOf } = OWN_TRANSFER;
    const rows = (await this.sql.query<object>(OF_PAYMENTS, [paymentIds])).map((row) =>
      COLUMNS.toEntity(row),
    );
    return rows.map((row) => ({
      ...row,
      isAuthentic: this.keyring.isMacOf(purpose, fieldsOf(row), row.mac),
    }));
  }
}
