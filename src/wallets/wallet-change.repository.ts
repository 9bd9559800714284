import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, LessThanOrEqual, Not, type Repository } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { Sql } from '../platform/database/sql.js';
import { requireTransaction } from '../platform/database/unit-of-work.js';
import { WalletChangeEntity } from './wallet-change.entity.js';

/** A user's application, or without one the user's default wallets. */
export interface ChangeOwner {
  applicationId: string | null;
  userId: string;
}

const LOCK = `select pg_advisory_xact_lock(hashtextextended('wallet change|' || $1 || '|' || $2, 0))`;
const PENDING = { activatedAt: IsNull(), cancelledAt: IsNull() };

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
    return this.changes.find({ where: { ...of(owner), ...PENDING }, order: { family: 'ASC' } });
  }

  /** Null also if it is not pending any more. */
  findPendingById(id: string): Promise<WalletChangeEntity | null> {
    return this.changes.findOneBy({ id, ...PENDING });
  }

  /** The newest change of each family that has taken effect. */
  async listLatest(owner: ChangeOwner): Promise<WalletChangeEntity[]> {
    const done = await this.changes.find({
      where: { ...of(owner), activatedAt: Not(IsNull()) },
      order: { activatedAt: 'DESC', id: 'DESC' },
    });
    return done.filter(({ family }, at) => done.findIndex((other) => other.family === family) === at);
  }

  /** The oldest that are due. */
  listDue(now: Date, limit: number): Promise<WalletChangeEntity[]> {
    return this.changes.find({
      where: { ...PENDING, activatesAt: LessThanOrEqual(now) },
      order: { activatesAt: 'ASC', id: 'ASC' },
      take: limit,
    });
  }

  async insert(change: WalletChangeEntity): Promise<void> {
    await this.changes.insert(change);
  }

  async activate(id: string, activatedAt: Date, previousFingerprint: string | null): Promise<void> {
    await this.changes.update({ id }, { activatedAt, previousFingerprint, sealedChange: null });
  }

  async cancel(id: string, cancelledAt: Date): Promise<void> {
    await this.changes.update({ id }, { cancelledAt, sealedChange: null });
  }
}

function of({ applicationId, userId }: ChangeOwner) {
  return { applicationId: applicationId ?? IsNull(), userId };
}
