import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { In, IsNull, Repository } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { ADDRESS_FAMILIES } from '../chains/chain-families.pure.js';
import { columnsOf } from '../platform/database/entity-sql.js';
import { namedStatement } from '../platform/database/named-statement.pure.js';
import { Sql } from '../platform/database/sql.js';
import { requireTransaction } from '../platform/database/unit-of-work.js';
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

/** An index taken from a wallet, which is not handed out again unless the transaction is rolled back. */
export interface TakenIndex extends Pick<WalletEntity, 'id' | 'sealedKey'> {
  derivationIndex: number;
}

const COUNTER = columnsOf(WalletEntity, 'w', ['id', 'nextIndex']);
const IDENTITY = columnsOf(WalletEntity, 'w', ['id', 'applicationId', 'userId', 'family', 'retiredAt']);
const SKIPPED = columnsOf(WalletEntity, 'w', ['id', 'family', 'nextIndex']);

const COUNTERS = `select ${COUNTER.list} from wallets w where w.next_index > 0`;
const LOCK_BY_KEY = `select ${IDENTITY.list} from wallets w where w.key_hash = $1 for update`;
const LOCK_OWNER = `select pg_advisory_xact_lock(hashtextextended('wallet|' || $1 || '|' || $2, 0))`;
const RETIRE = namedStatement<WalletOwner & { family: AddressFamily; now: Date }>(`
  update wallets set retired_at = :now
  where application_id is not distinct from :applicationId and user_id is not distinct from :userId
    and family = :family and retired_at is null
  returning id`);
// The application's own wallet, else its user's default, else the operator's.
const TAKE_INDEX = namedStatement<IndexRequest>(`
  update wallets set next_index = next_index + 1
  where id = coalesce(
      (select id from wallets where application_id = :applicationId and family = :family and retired_at is null),
      (select id from wallets
        where application_id is null and user_id = :userId and family = :family and retired_at is null),
      :operatorWalletId::uuid)
    and (user_id is null or retired_at is null)
  returning id, sealed_extended_public_key as "sealedKey", next_index - 1 as "derivationIndex"`);
const HAS_ACTIVE = `
  select w.id from wallets w
  where w.user_id = $1 and (w.application_id = $2 or w.application_id is null) and w.family = $3
    and w.retired_at is null limit 1`;
// A default wallet serves every application of its user, so the first one redirects what another application's brought.
const HAS_HAD = `
  select w.id from wallets w
  where w.user_id = $1 and w.family = $3 and ($2::uuid is null or w.application_id = $2 or w.application_id is null)
  limit 1`;
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

  findActive({ applicationId, userId }: WalletOwner, family: AddressFamily): Promise<WalletEntity | null> {
    return this.wallets.findOneBy({
      applicationId: applicationId ?? IsNull(),
      userId: userId ?? IsNull(),
      family,
      retiredAt: IsNull(),
    });
  }

  /** Whether the application, or else its user, has an active wallet of the family. */
  async hasActive({ applicationId, userId }: ApplicationOfUser, family: AddressFamily): Promise<boolean> {
    return (await this.sql.query(HAS_ACTIVE, [userId, applicationId, family])).length > 0;
  }

  /** Whether a wallet of the family ever served the application; without an application, any of the user's. */
  async hasHad({ applicationId, userId }: WalletOwner, family: AddressFamily): Promise<boolean> {
    return (await this.sql.query(HAS_HAD, [userId, applicationId, family])).length > 0;
  }

  /** Serializes changes of an owner's wallets until the transaction ends. */
  async lockOwner({ applicationId, userId }: WalletOwner, family: AddressFamily): Promise<void> {
    requireTransaction('wallets');
    await this.sql.query(LOCK_OWNER, [family, applicationId ?? userId ?? 'operator']);
  }

  /** Locks the wallet of a key, active or retired, whoever owns it. */
  async lockByKeyHash(
    keyHash: Buffer,
  ): Promise<Pick<WalletEntity, 'id' | 'applicationId' | 'userId' | 'family' | 'retiredAt'> | null> {
    requireTransaction('wallets');
    const [row] = await this.sql.query(LOCK_BY_KEY, [keyHash]);
    return row ? IDENTITY.toEntity(row) : null;
  }

  async insert(wallet: NewWallet): Promise<void> {
    await this.wallets.insert(wallet);
  }

  /** Returns the id of the wallet that is retired by this; null: the owner had none of the family. */
  async retire(owner: WalletOwner, family: AddressFamily, now: Date): Promise<string | null> {
    const [retired] = await this.sql.query<{ id: string }>(
      RETIRE.text,
      RETIRE.values({ ...owner, family, now }),
    );
    return retired?.id ?? null;
  }

  /** Makes a retired wallet active again. */
  async reactivate(id: string): Promise<void> {
    await this.wallets.update({ id }, { retiredAt: null });
  }

  /**
   * Takes the next index of the wallet that serves the application; null: there was none at the start of the statement,
   * or it was retired while the statement waited for its row.
   */
  async takeIndex(request: IndexRequest): Promise<TakenIndex | null> {
    requireTransaction('wallets');
    const [taken] = await this.sql.query<TakenIndex & { derivationIndex: string }>(
      TAKE_INDEX.text,
      TAKE_INDEX.values(request),
    );
    return taken ? { ...taken, derivationIndex: Number(taken.derivationIndex) } : null;
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
