import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, Repository } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { bulkInsert, columnsOf, jsonOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { DepositAddressEntity } from './deposit-address.entity.js';
import { MARK_BYTES, MARK_POSITION, SHORTEST_KEY } from './key-filter.js';
import type { WalletIdentity } from './wallet-authentication.pure.js';
import { WalletEntity } from './wallet.entity.js';

/** A deposit address, with what is needed to verify it. */
export interface StoredAddress extends DepositAddressEntity {
  wallet: WalletIdentity & { sealedKey: string };
  /** Whether the wallet is of the address's user, or the operator's, and of its family. */
  isOfOwner: boolean;
}

/** The addresses of a wallet from index `first` to below `past`. */
export interface AddressRange {
  walletId: string;
  first: number;
  past: number;
}

const ADDRESS = columnsOf(DepositAddressEntity, 'd');
const WALLET = jsonOf(WalletEntity, 'w', [
  'id',
  'applicationId',
  'userId',
  'family',
  'scriptType',
  'sealedKey',
]);

const STORED = `
  select ${ADDRESS.list}, ${WALLET} as wallet,
    (w.user_id is null or w.user_id = d.user_id) and w.family = d.family as "isOfOwner"
  from deposit_addresses d join wallets w on w.id = d.wallet_id`;
const OF_PAYMENTS = `${STORED} where d.payment_id = any($1::uuid[]) order by d.payment_id, d.family`;
const BY_IDS = `${STORED} where d.id = any($1::uuid[])`;
const FIND_BY_KEYS = `
  select ${ADDRESS.list} from deposit_addresses d where d.family = $1 and d.key = any($2::bytea[])`;
const HAS_ANY = `select exists (select from deposit_addresses d where d.family = $1) as found`;
const OLDEST = `select min(d.created_at) as at from deposit_addresses d where d.family = $1`;
const LIST_KEYS = `select d.key from deposit_addresses d where d.family = $1 order by d.id`;
const INSERT = bulkInsert(
  DepositAddressEntity,
  [
    'id',
    'paymentId',
    'userId',
    'family',
    'key',
    'address',
    'walletId',
    'derivationIndex',
    'createdAt',
    'mac',
  ],
  'on conflict (payment_id, family) do nothing returning id',
);

type WithWallet = Pick<StoredAddress, 'wallet' | 'isOfOwner'>;

function toStored(row: WithWallet): StoredAddress {
  return { ...ADDRESS.toEntity(row), wallet: row.wallet, isOfOwner: row.isOfOwner };
}

const MARKS = `
  select string_agg(substr(d.key, ${MARK_POSITION}, ${MARK_BYTES}), ''::bytea) as marks from deposit_addresses d`;
const MARKS_OF_RANGES = `${MARKS}
  join unnest($1::uuid[], $2::bigint[], $3::bigint[]) as wanted (wallet_id, first, past)
    on d.wallet_id = wanted.wallet_id and d.derivation_index >= wanted.first and d.derivation_index < wanted.past
  where length(d.key) >= ${SHORTEST_KEY}`;
/** The shares are of the last VACUUM or ANALYZE; the planner decides by them, too. */
const PAGES = `
  select pg_relation_size(oid) / current_setting('block_size')::bigint as pages,
    relallvisible > relpages * 0.9 as "isVacuumed"
  from pg_class where oid = 'deposit_addresses'::regclass`;
/** $1 first and $2 past the last physical row position. */
const MARKS_OF_PAGES = `${MARKS} where d.ctid >= $1 and d.ctid < $2 and length(d.key) >= ${SHORTEST_KEY}`;
/** The next $3 of a family in the order of the unique index of keys, which has everything that is read. */
const MARKS_ABOVE = `
  select string_agg(substr(key, ${MARK_POSITION}, ${MARK_BYTES}), ''::bytea) as marks, (array_agg(key))[count(*)] as last
  from (
    select d.key from deposit_addresses d
    where d.family = $1 and d.key > $2 and length(d.key) >= ${SHORTEST_KEY} order by d.key limit $3
  ) d`;

/** The marks of some addresses, concatenated; null: there are none. */
interface Marks {
  marks: Buffer | null;
}

/** Deposit addresses. They are never deleted, and only their MAC is ever replaced. */
@Injectable()
export class DepositAddressRepository {
  constructor(
    @InjectRepository(DepositAddressEntity) private readonly addresses: Repository<DepositAddressEntity>,
    private readonly sql: Sql,
  ) {}

  /** Of some payments, by payment and family. */
  async listStored(paymentIds: readonly string[]): Promise<StoredAddress[]> {
    return (await this.sql.query<WithWallet>(OF_PAYMENTS, [paymentIds])).map(toStored);
  }

  /** As {@link listStored}, in any order. */
  async listByIds(ids: readonly string[]): Promise<StoredAddress[]> {
    return (await this.sql.query<WithWallet>(BY_IDS, [ids])).map(toStored);
  }

  /** Finds which of the keys are deposit addresses, in one statement. */
  async findByKeys(family: AddressFamily, keys: readonly Buffer[]): Promise<DepositAddressEntity[]> {
    return (await this.sql.query<object>(FIND_BY_KEYS, [family, keys])).map((row) => ADDRESS.toEntity(row));
  }

  /** By payment and family. */
  listOfPayments(paymentIds: readonly string[]): Promise<DepositAddressEntity[]> {
    return this.addresses.find({
      where: { paymentId: In([...paymentIds]) },
      order: { paymentId: 'ASC', family: 'ASC' },
    });
  }

  /** Whether a payment has an address of the family. */
  async hasAny(family: AddressFamily): Promise<boolean> {
    const [row] = await this.sql.query<{ found: boolean }>(HAS_ANY, [family]);
    return row?.found === true;
  }

  /** When the first address of the family was handed out; null: none was. */
  async findOldest(family: AddressFamily): Promise<Date | null> {
    const [row] = await this.sql.query<{ at: Date | null }>(OLDEST, [family]);
    return row?.at ?? null;
  }

  /** All keys of a family, oldest first. Plain SQL, because there may be a million of them. */
  async listKeys(family: AddressFamily): Promise<Buffer[]> {
    return (await this.sql.query<{ key: Buffer }>(LIST_KEYS, [family])).map(({ key }) => key);
  }

  /** False: the payment has an address of the family already. */
  async insert(address: DepositAddressEntity): Promise<boolean> {
    return (await this.sql.query(INSERT.text, INSERT.values([address]))).length > 0;
  }

  /**
   * Pages of the table on disk, and whether nearly all of them are known to hold committed rows only. Then reading an
   * index does not lead to the table.
   */
  async describePages(): Promise<{ count: number; isVacuumed: boolean }> {
    const [table] = await this.sql.query<{ pages: string; isVacuumed: boolean }>(PAGES);
    return { count: Number(table?.pages ?? 0), isVacuumed: table?.isVacuumed === true };
  }

  /** The marks ({@link KeyFilter}) of the addresses on the pages from `first` to below `past`. */
  async findMarksOfPages(first: number, past: number): Promise<Buffer | null> {
    const [row] = await this.sql.query<Marks>(MARKS_OF_PAGES, [`(${first},0)`, `(${past},0)`]);
    return row?.marks ?? null;
  }

  /** The marks of the next addresses of a family above a key, and the last of their keys; null: there are no more. */
  async findMarksAbove(
    family: AddressFamily,
    key: Buffer,
    limit: number,
  ): Promise<{ marks: Buffer | null; last: Buffer | null }> {
    const values = [family, key, limit];
    const [row] = await this.sql.query<Marks & { last: Buffer | null }>(MARKS_ABOVE, values);
    return row ?? { marks: null, last: null };
  }

  async findMarksOfRanges(ranges: readonly AddressRange[]): Promise<Buffer | null> {
    const [row] = await this.sql.query<Marks>(MARKS_OF_RANGES, [
      ranges.map(({ walletId }) => walletId),
      ranges.map(({ first }) => first),
      ranges.map(({ past }) => past),
    ]);
    return row?.marks ?? null;
  }
}
