import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import { IsNull, type Repository } from 'typeorm';
import { bulkInsert } from '../../../platform/database/entity-sql.js';
import { namedStatement } from '../../../platform/database/named-statement.pure.js';
import { Sql } from '../../../platform/database/sql.js';
import type { AuthenticatedRows } from '../../../platform/integrity/authenticated-rows.js';
import { rowChanged } from '../../../platform/integrity/audited-table.js';
import { RowFingerprints } from '../../../platform/integrity/row-fingerprints.service.js';
import { RowAuthenticator } from '../../../platform/integrity/row-authenticator.service.js';
import { RECOVERY_CODES_TABLE, RecoveryCodeEntity } from './recovery-code.entity.js';
import { SECOND_FACTORS, SecondFactorEntity } from './second-factor.entity.js';

/** Whether signing in takes a code. */
export interface TwoFactorState {
  /** Null: it does not. */
  enabledAt: Date | null;
  recoveryCodesLeft: number;
}

const FIND_STATE = `
  select f.confirmed_at as "enabledAt",
    (select count(*)::int from recovery_codes c where c.user_id = f.user_id and c.used_at is null)
      as "recoveryCodesLeft"
  from second_factors f where f.user_id = $1`;
const ENROL = namedStatement<Pick<SecondFactorEntity, 'userId' | 'sealedSecret' | 'createdAt'>>(`
  insert into second_factors as f (user_id, sealed_secret, created_at) values (:userId, :sealedSecret, :createdAt)
  on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
    where f.confirmed_at is null
  returning f.user_id`);

const INSERT_CODES = bulkInsert(RecoveryCodeEntity, ['userId', 'slot', 'codeHash', 'createdAt', 'mac']);
const LOCK = { mode: 'pessimistic_write' } as const;

/** Second factors and their recovery codes (second_factors, recovery_codes). */
@Injectable()
export class SecondFactorRepository {
  private readonly authenticated: AuthenticatedRows<
    RecoveryCodeEntity,
    (typeof RECOVERY_CODES_TABLE.fields)[number]
  >;

  constructor(
    @InjectRepository(SecondFactorEntity) private readonly rows: Repository<SecondFactorEntity>,
    @InjectRepository(RecoveryCodeEntity) private readonly codes: Repository<RecoveryCodeEntity>,
    private readonly sql: Sql,
    private readonly authenticator: RowAuthenticator,
    fingerprints: RowFingerprints,
  ) {
    this.authenticated = authenticator.register(RECOVERY_CODES_TABLE);
    fingerprints.register(SECOND_FACTORS);
  }

  async findState(userId: string): Promise<TwoFactorState> {
    const [state] = await this.sql.query<TwoFactorState>(FIND_STATE, [userId]);
    return state ?? { enabledAt: null, recoveryCodesLeft: 0 };
  }

  /** Locks the factor until the transaction ends, so that one code is not accepted by two requests. */
  lock(userId: string): Promise<SecondFactorEntity | null> {
    return this.rows.findOne({ where: { userId }, lock: LOCK });
  }

  /** Stores a secret in place of an unconfirmed one. False: there is a confirmed one. */
  async enrol(userId: string, sealedSecret: string, createdAt: Date): Promise<boolean> {
    return (await this.sql.query(ENROL.text, ENROL.values({ userId, sealedSecret, createdAt }))).length > 0;
  }

  /** @param lastStep of the accepted code */
  async confirm(userId: string, confirmedAt: Date, lastStep: number): Promise<void> {
    rowChanged(SECOND_FACTORS, userId);
    await this.rows.update({ userId }, { confirmedAt, lastStep });
  }

  async setLastStep(userId: string, lastStep: number): Promise<void> {
    await this.rows.update({ userId }, { lastStep });
  }

  /** Deletes the factor and, by their foreign key, its recovery codes. False: there was none. */
  async delete(userId: string): Promise<boolean> {
    for (const code of await this.codes.findBy({ userId })) this.authenticated.changed(code);
    const isDeleted = (await this.rows.delete({ userId })).affected === 1;
    if (isDeleted) rowChanged(SECOND_FACTORS, userId);
    return isDeleted;
  }

  /** Logs and counts a factor that the user's row says there is. */
  reportMissing(userId: string): void {
    this.authenticator.report('second_factors', [userId]);
  }

  /** Inserts a new set of recovery codes in place of the old one. */
  async replaceRecoveryCodes(userId: string, codeHashes: readonly Buffer[], createdAt: Date): Promise<void> {
    await this.codes.delete({ userId });
    const codes = codeHashes.map((codeHash, i) => {
      const code = { userId, slot: i + 1, codeHash, createdAt, usedAt: null };
      return { ...code, mac: this.authenticated.mac(code) };
    });
    await this.sql.query(INSERT_CODES.text, INSERT_CODES.values(codes));
  }

  /** Marks a recovery code as used, once. False: it is wrong or was used before. Call it in a transaction. */
  async useRecoveryCode(userId: string, codeHash: Buffer, usedAt: Date): Promise<boolean> {
    const where = { userId, codeHash, usedAt: IsNull() };
    const code = this.authenticated.authentic(await this.codes.findOne({ where, lock: LOCK }));
    if (!code) return false;
    const mac = this.authenticated.mac(code, { usedAt });
    await this.codes.update({ userId, slot: code.slot }, { usedAt, mac });
    return true;
  }
}
