import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { bulkInsert, columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { type RecentRead, RecentReads } from '../platform/database/recent-reads.js';
import { WalletChoiceEntity } from './wallet-choice.entity.js';
import type { ApplicationOfUser, WalletOwner } from './wallet.repository.js';

const INSERT = bulkInsert(
  WalletChoiceEntity,
  ['id', 'userId', 'applicationId', 'wallets', 'mac'],
  'on conflict (user_id, application_id) do nothing',
);
const CHOICE = columnsOf(WalletChoiceEntity, 'c');
const SERVING = 'c.user_id = $1 and (c.application_id = $2 or c.application_id is null)';
const LIST_SERVING = `select ${CHOICE.list} from wallet_choices c where ${SERVING}`;
const HAS_WALLET = `select from wallet_choices c where ${SERVING} and c.wallets ? $3 limit 1`;
const LIST_APPLICATIONS_WITHOUT = `
  select c.application_id as id from wallet_choices c
  where c.user_id = $1 and c.application_id is not null and not c.wallets ? $2`;
const LIST_AFTER = `select ${CHOICE.list} from wallet_choices c where c.id > $1 order by c.id limit $2`;
// Every application has a statement, and so has its user.
const LIST_OWNERS_WITHOUT = `
  select o.user_id as "userId", o.application_id as "applicationId"
  from (
    select user_id, id as application_id from payment_applications
    union select user_id, null from payment_applications
  ) o
  where not exists (
    select from wallet_choices c
    where c.user_id = o.user_id and c.application_id is not distinct from o.application_id)`;

/** Which wallets of their owners are active. */
@Injectable()
export class WalletChoiceRepository {
  /** Whether there is one, by family, application and user. */
  private readonly wallets: RecentRead<true>;

  constructor(
    @InjectRepository(WalletChoiceEntity) private readonly choices: Repository<WalletChoiceEntity>,
    private readonly sql: Sql,
    recent: RecentReads,
  ) {
    this.wallets = recent.of();
  }

  find({ applicationId, userId }: WalletOwner): Promise<WalletChoiceEntity | null> {
    if (userId === null) return Promise.resolve(null);
    return this.choices.findOneBy({ userId, applicationId: applicationId ?? IsNull() });
  }

  /** Locks the row until the transaction ends. */
  lock({ applicationId, userId }: WalletOwner): Promise<WalletChoiceEntity | null> {
    if (userId === null) return Promise.resolve(null);
    return this.choices.findOne({
      where: { userId, applicationId: applicationId ?? IsNull() },
      lock: { mode: 'pessimistic_write' },
    });
  }

  /** Those of the application and of its user, which new addresses come from. */
  async listServing({ userId, applicationId }: ApplicationOfUser): Promise<WalletChoiceEntity[]> {
    return (await this.sql.query(LIST_SERVING, [userId, applicationId])).map((row) => CHOICE.toEntity(row));
  }

  /** What was found is remembered ({@link RecentReads}): an address is taken by the statement as it is then. */
  async hasWallet({ userId, applicationId }: ApplicationOfUser, family: AddressFamily): Promise<boolean> {
    const read = async () => {
      const found = await this.sql.query(HAS_WALLET, [userId, applicationId, family]);
      return found.length > 0 || null;
    };
    return (await this.wallets.get(`${family} ${applicationId} ${userId}`, read)) ?? false;
  }

  async listApplicationsWithout(userId: string, family: AddressFamily): Promise<string[]> {
    const rows = await this.sql.query<{ id: string }>(LIST_APPLICATIONS_WITHOUT, [userId, family]);
    return rows.map(({ id }) => id);
  }

  /** All of them, by id. */
  async listAfter(id: string, limit: number): Promise<WalletChoiceEntity[]> {
    return (await this.sql.query(LIST_AFTER, [id, limit])).map((row) => CHOICE.toEntity(row));
  }

  /** Owners whose statement is missing. */
  listOwnersWithout(): Promise<{ userId: string; applicationId: string | null }[]> {
    return this.sql.query(LIST_OWNERS_WITHOUT);
  }

  /** Changes nothing where the owner has one. */
  async insert(choice: WalletChoiceEntity): Promise<void> {
    await this.sql.query(INSERT.text, INSERT.values([choice]));
  }

  async update({ id, wallets, mac }: WalletChoiceEntity): Promise<void> {
    await this.choices.update({ id }, { wallets, mac });
  }
}
