import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { columnsOf, jsonOf } from '../platform/database/entity-sql.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import { requireTransaction } from '../platform/database/unit-of-work.js';
import { WalletChoiceEntity } from './wallet-choice.entity.js';
import { WalletEntity } from './wallet.entity.js';

/** An application's wallet; its user's default wallet without an application; the operator's without either. */
export interface WalletOwner {
  applicationId: string | null;
  userId: string | null;
}

export type NewWallet = Pick<
  WalletEntity,
  | 'id'
  | 'applicationId'
  | 'userId'
  | 'family'
  | 'scriptType'
  | 'sealedKey'
  | 'maskedKey'
  | 'fingerprint'
  | 'keyHash'
  | 'createdAt'
  | 'mac'
>;

/** The application that an address or a wallet is needed for, and its user. */
export interface ApplicationOfUser {
  applicationId: string;
  userId: string;
}

export interface IndexRequest extends ApplicationOfUser {
  family: AddressFamily;
  /** The operator's wallet, if one is configured. */
  operatorWalletId: string | null;
}

/** What its MAC covers, and the MAC. */
export const WALLET_COLUMNS = [
  'id',
  'applicationId',
  'userId',
  'family',
  'scriptType',
  'sealedKey',
  'maskedKey',
  'fingerprint',
  'keyHash',
  'retiredAt',
  'mac',
] as const;
/** A wallet with everything that its MAC covers. */
export type ServingWallet = Pick<WalletEntity, (typeof WALLET_COLUMNS)[number]>;

/** An index taken from a wallet, which is not handed out again unless the transaction is rolled back. */
export interface TakenIndex {
  wallet: ServingWallet;
  derivationIndex: number;
  /** The statements that the wallet was chosen by. */
  choices: WalletChoiceEntity[];
}

const COUNTER = columnsOf(WalletEntity, 'w', ['id', 'nextIndex']);
const WALLET = columnsOf(WalletEntity, 'w', WALLET_COLUMNS);
const SKIPPED = columnsOf(WalletEntity, 'w', ['id', 'family', 'nextIndex']);
const CHOICE = jsonOf(WalletChoiceEntity, 'c', ['id', 'userId', 'applicationId', 'wallets', 'mac']);

const COUNTERS = `select ${COUNTER.list} from wallets w where w.next_index > 0`;
const LOCK_BY_KEY = `select ${WALLET.list} from wallets w where w.key_hash = $1 for update`;
const LOCK_OWNER = `select pg_advisory_xact_lock(hashtextextended('wallet|' || $1 || '|' || $2, 0))`;
const LOCK_ACTIVE = namedStatement<WalletOwner & { family: AddressFamily }>(`
  select ${WALLET.list} from wallets w
  where w.application_id is not distinct from :applicationId and w.user_id is not distinct from :userId
    and w.family = :family and w.retired_at is null for update`);
const FIND_BY_ID = `select ${WALLET.list} from wallets w where w.id = $1`;
const LIST_AFTER = `select ${WALLET.list} from wallets w where w.id > $1 order by w.id limit $2`;
// The wallet that the application's own statement names, else that of its user's, else the operator's. The statements
// are returned, so that the caller can check them without reading them again.
const TAKE_INDEX = namedStatement<IndexRequest>(`
  update wallets w set next_index = w.next_index + 1
  where w.id = coalesce(
      (select (c.wallets ->> :family)::uuid from wallet_choices c
        where c.user_id = :userId and c.application_id = :applicationId),
      (select (c.wallets ->> :family)::uuid from wallet_choices c
        where c.user_id = :userId and c.application_id is null),
      :operatorWalletId::uuid)
    and (w.user_id is null or w.retired_at is null)
  returning ${WALLET.list}, w.next_index - 1 as "derivationIndex",
    (select coalesce(json_agg(${CHOICE}), '[]') from wallet_choices c
     where c.user_id = :userId and (c.application_id = :applicationId or c.application_id is null)) as choices`);
const SET_RESEALING = `select set_config('gateway.resealing', $1, true)`;
// The second part of a MAC is the id of its key (keyring.ts).
const LIST_KEY_IDS = `select distinct split_part(w.mac, '.', 2) as id from wallets w`;
const SKIP_INDEXES = `update wallets w set next_index = w.next_index + $1 returning ${SKIPPED.list}`;

/** Wallets and their address counters. */
@Injectable()
export class WalletRepository {
  constructor(
    @InjectRepository(WalletEntity) private readonly wallets: Repository<WalletEntity>,
    private readonly sql: Sql,
  ) {}

  /** The active wallets of an application, or the default wallets of a user; by family. */
  listActive({ applicationId, userId }: WalletOwner): Promise<WalletEntity[]> {
    return this.wallets.find({
      where: {
        applicationId: applicationId ?? IsNull(),
        userId: userId ?? IsNull(),
        family: In([...ADDRESS_FAMILIES]),
        retiredAt: IsNull(),
      },
      order: { family: 'ASC' },
    });
  }

  /** Serializes changes of an owner's wallets until the transaction ends. */
  async lockOwner({ applicationId, userId }: WalletOwner, family: AddressFamily): Promise<void> {
    requireTransaction('wallets');
    await this.sql.query(LOCK_OWNER, [family, applicationId ?? userId ?? 'operator']);
  }

  async findById(id: string): Promise<ServingWallet | null> {
    const [row] = await this.sql.query<object>(FIND_BY_ID, [id]);
    return row ? WALLET.toEntity(row) : null;
  }

  /** Active and retired ones, by id. */
  async listAfter(id: string, limit: number): Promise<ServingWallet[]> {
    return (await this.sql.query<object>(LIST_AFTER, [id, limit])).map((row) => WALLET.toEntity(row));
  }

  /** Locks the wallet of a key, active or retired, whoever owns it. */
  async lockByKeyHash(keyHash: Buffer): Promise<ServingWallet | null> {
    requireTransaction('wallets');
    const [row] = await this.sql.query<object>(LOCK_BY_KEY, [keyHash]);
    return row ? WALLET.toEntity(row) : null;
  }

  async lockActive(owner: WalletOwner, family: AddressFamily): Promise<ServingWallet | null> {
    requireTransaction('wallets');
    const [row] = await this.sql.query<object>(LOCK_ACTIVE.text, LOCK_ACTIVE.values({ ...owner, family }));
    return row ? WALLET.toEntity(row) : null;
  }

  async insert(wallet: NewWallet): Promise<void> {
    await this.wallets.insert(wallet);
  }

  /** Retires a wallet, or makes it active again (null): from then on its addresses have not been compared. */
  async setRetired({ id, retiredAt, mac }: Pick<WalletEntity, 'id' | 'retiredAt' | 'mac'>): Promise<void> {
    await this.wallets.update({ id }, { retiredAt, mac, comparedAt: null, comparedBy: null });
  }

  /** The same key in another text; Postgres refuses it to whoever does not say so (wallets_guard). */
  async setSealedKey({ id, sealedKey }: Pick<WalletEntity, 'id' | 'sealedKey'>): Promise<void> {
    requireTransaction('wallets');
    await this.sql.query(SET_RESEALING, ['on']);
    await this.wallets.update({ id }, { sealedKey });
    await this.sql.query(SET_RESEALING, ['off']);
  }

  async setCompared({
    id,
    ...compared
  }: Pick<WalletEntity, 'id' | 'comparedAt' | 'comparedBy'>): Promise<void> {
    await this.wallets.update({ id }, compared);
  }

  /**
   * Takes the next index of the wallet that serves the application; null: there was none at the start of the statement,
   * or it was retired while the statement waited for its row.
   */
  async takeIndex(request: IndexRequest): Promise<TakenIndex | null> {
    requireTransaction('wallets');
    const [row] = await this.sql.query<{ derivationIndex: string; choices: WalletChoiceEntity[] }>(
      TAKE_INDEX.text,
      TAKE_INDEX.values(request),
    );
    if (!row) return null;
    return {
      wallet: WALLET.toEntity(row),
      derivationIndex: Number(row.derivationIndex),
      choices: row.choices,
    };
  }

  /** Ids of the keys of APP_KEYS that made the MACs. */
  async listKeyIds(): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(LIST_KEY_IDS)).map(({ id }) => id);
  }

  /** The counters of all wallets, also retired ones, that have handed out an address. */
  async listCounters(): Promise<Pick<WalletEntity, 'id' | 'nextIndex'>[]> {
    return (await this.sql.query(COUNTERS)).map((row) => COUNTER.toEntity(row));
  }

  /** Advances the counters of all wallets. */
  async skipIndexes(count: number): Promise<Pick<WalletEntity, 'id' | 'family' | 'nextIndex'>[]> {
    return (await this.sql.query(SKIP_INDEXES, [count])).map((row) => SKIPPED.toEntity(row));
  }
}
