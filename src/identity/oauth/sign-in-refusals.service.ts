import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { Sql } from '../../platform/database/sql.js';
import { Meters } from '../../platform/kernel/meters.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { NO_USER, type RefusalReason } from './refused-sign-in.entity.js';
import { type RefusedBetween, RefusedSignInRepository } from './refused-sign-in.repository.js';

/** An attack that goes on for months adds one row a day to the audit log, which is never deleted. */
const REPORT_INTERVAL_MS = 86_400_000;

/** Sign-ins with a wrong password or code, counted by account (specification/authentication.md#guessed-passwords). */
@Injectable()
export class SignInRefusals {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly repository: RefusedSignInRepository,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
    private readonly meters: Meters,
    private readonly clock: Clock,
  ) {}

  /** Counts from zero, in the transaction of a sign-in. Returns what was refused since the one before. */
  reset(userId: string): Promise<RefusedBetween> {
    return this.repository.reset(userId);
  }

  /**
   * In the log, the metrics and the account's records; never with the submitted text: users sometimes type the password
   * into the email field.
   * @param userId null: there is no such account
   */
  async count(
    userId: string | null,
    reason: RefusalReason,
    isBoundReached: boolean,
    clientId: string,
  ): Promise<void> {
    this.meters.refusedSignIns.inc({ reason });
    this.logger.warn({ userId, reason, clientId }, 'sign-in refused');
    const now = this.clock.now();
    const refusal = {
      userId: userId ?? NO_USER,
      reason,
      now,
      isBoundReached,
      reportedBefore: new Date(now.getTime() - REPORT_INTERVAL_MS),
    };
    await this.sql.transaction(async () => {
      const isNews = await this.repository.count(refusal);
      if (!isNews || userId === null) return;
      this.logger.error({ userId, reason, clientId }, 'an account is being guessed: its bound is reached');
      const target = { kind: 'user', id: userId };
      await this.audit.record({ act: 'sign_in.blocked', userId, target, details: { reason } });
    });
  }
}
