import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../../chains/chain.pure.js';
import { bulkInsert, columnsOf } from '../../platform/database/entity-sql.js';
import { Sql } from '../../platform/database/sql.js';
import { MARK_BYTES, MARK_POSITION, SHORTEST_KEY } from '../key-filter.js';
import { WalletEntity } from '../wallet.entity.js';
import { type ServingWallet, WALLET_COLUMNS } from '../wallet.repository.js';
import { SpareAddressEntity } from './spare-address.entity.js';

/** A wallet with fewer spare addresses than are watched. */
export interface ShortWallet {
  wallet: ServingWallet & Pick<WalletEntity, 'nextIndex'>;
  /** Of the last one; null: there is none. */
  last: number | null;
}

const WALLET = columnsOf(WalletEntity, 'w', [...WALLET_COLUMNS, 'nextIndex']);
const SPARE = columnsOf(SpareAddressEntity, 's');

// $1 how many must be there, $2 wallets that cannot be read, $3 limit.
const SHORT = `
  select ${WALLET.list}, own.last
  from wallets w cross join lateral (
    select max(s.derivation_index) as last from spare_addresses s where s.wallet_id = w.id) own
  where w.retired_at is null and w.masked_key not like 'treasury(%' and w.id <> all ($2::uuid[])
    and coalesce(own.last, -1) < w.next_index + $1 - 1
  order by w.id limit $3`;
// The counter tells what was handed out, whether the row is still here or not.
const FIND = `
  select ${SPARE.list} from spare_addresses s join wallets w on w.id = s.wallet_id
  where s.family = $1 and s.key = any ($2::bytea[]) and s.derivation_index >= w.next_index and w.retired_at is null`;
const MARKS = `
  select string_agg(substr(s.key, ${MARK_POSITION}, ${MARK_BYTES}), ''::bytea) as marks
  from spare_addresses s where length(s.key) >= ${SHORTEST_KEY}`;
const INSERT = bulkInsert(
  SpareAddressEntity,
  ['walletId', 'derivationIndex', 'family', 'key', 'address'],
  'on conflict do nothing',
);
const DELETE_BELOW = `delete from spare_addresses where wallet_id = $1 and derivation_index < $2`;

/** The next addresses of keys, so that a block can be compared with them. */
@Injectable()
export class SpareAddressRepository {
  constructor(private readonly sql: Sql) {}

  async listShort(count: number, without: readonly string[], limit: number): Promise<ShortWallet[]> {
    const rows = await this.sql.query<{ last: string | null }>(SHORT, [count, without, limit]);
    return rows.map((row) => ({
      wallet: WALLET.toEntity(row),
      last: row.last === null ? null : Number(row.last),
    }));
  }

  async findByKeys(family: AddressFamily, keys: readonly Buffer[]): Promise<SpareAddressEntity[]> {
    return (await this.sql.query<object>(FIND, [family, keys])).map((row) => SPARE.toEntity(row));
  }

  async insert(addresses: SpareAddressEntity[]): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values(addresses));
  }

  /** The marks (key-filter.ts) of all, concatenated; null: there are none. */
  async findMarks(): Promise<Buffer | null> {
    const [row] = await this.sql.query<{ marks: Buffer | null }>(MARKS);
    return row?.marks ?? null;
  }

  /** Those that were handed out or passed over. */
  async deleteBelow(walletId: string, index: number): Promise<void> {
    await this.sql.query(DELETE_BELOW, [walletId, index]);
  }
}
