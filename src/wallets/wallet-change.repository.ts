import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, MoreThan, Not, type Repository } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { Sql } from '../platform/database/sql.js';
import { requireTransaction } from '../platform/database/unit-of-work.js';
import { WalletChangeEntity } from './wallet-change.entity.js';
import type { WalletOwner } from './wallet.repository.js';

/** A user's application, or without one the user's default wallets. */
export type ChangeOwner = WalletOwner & { userId: string };

const LOCK = `select pg_advisory_xact_lock(hashtextextended('wallet change|' || $1 || '|' || $2, 0))`;
const PENDING = { appliedAt: IsNull(), cancelledAt: IsNull() };

/** Changes of wallets (wallet_changes). */
@Injectable()
export class WalletChangeRepository {
  constructor(
    @InjectRepository(WalletChangeEntity) private readonly changes: Repository<WalletChangeEntity>,
    private readonly sql: Sql,
  ) {}

  /** Serializes the changes of an owner's wallet until the transaction ends. */
  async lock({ applicationId, userId }: ChangeOwner, family: AddressFamily): Promise<void> {
    requireTransaction('wallet_changes');
    await this.sql.query(LOCK, [family, applicationId ?? userId]);
  }

  findPending(owner: ChangeOwner, family: AddressFamily): Promise<WalletChangeEntity | null> {
    return this.changes.findOneBy({ ...of(owner), family, ...PENDING });
  }

  listPending(owner: ChangeOwner): Promise<WalletChangeEntity[]> {
    return this.changes.find({ where: { ...of(owner), ...PENDING } });
  }

  /** Null also if it is not pending any more. */
  findPendingById(id: string): Promise<WalletChangeEntity | null> {
    return this.changes.findOneBy({ id, ...PENDING });
  }

  /** Those that were applied, the newest first. */
  listApplied(owner: ChangeOwner): Promise<WalletChangeEntity[]> {
    return this.changes.find({
      where: { ...of(owner), appliedAt: Not(IsNull()) },
      order: { appliedAt: 'DESC', id: 'DESC' },
    });
  }

  /** The oldest that are due. */
  listDue(now: Date, limit: number): Promise<WalletChangeEntity[]> {
    return this.changes.find({
      where: { ...PENDING, effectiveAt: LessThanOrEqual(now) },
      order: { effectiveAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  /** All of them, by id. */
  listAfter(id: string, limit: number): Promise<WalletChangeEntity[]> {
    return this.changes.find({ where: { id: MoreThan(id) }, order: { id: 'ASC' }, take: limit });
  }

  async insert(change: WalletChangeEntity): Promise<void> {
    await this.changes.insert(change);
  }

  /** Records how a pending change ended. */
  async end(change: WalletChangeEntity): Promise<void> {
    const { id, previousFingerprint, appliedAt, cancelledAt, mac } = change;
    await this.changes.update(
      { id, ...PENDING },
      { previousFingerprint, appliedAt, cancelledAt, mac, sealedKey: null },
    );
  }
}

function of({ applicationId, userId }: ChangeOwner) {
  return { applicationId: applicationId ?? IsNull(), userId };
}
