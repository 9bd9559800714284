import type { IncomingMessage, ServerResponse } from 'node:http';
import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.service.js';
import { Sql } from '../../platform/database/sql.js';
import { TooManyRequestsError } from '../../platform/errors/errors.pure.js';
import { clientAddress } from '../../platform/http/client-address.pure.js';
import { Meters, type SignInRefusal } from '../../platform/observability/meters.pure.js';
import {
  AccountBoundError,
  BruteForceThrottle,
} from '../../platform/rate-limiting/brute-force-throttle.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { KnownBrowsers } from './known-browsers.service.js';
import { NO_USER, type RefusalReason } from './refused-sign-in.entity.js';
import { type RefusedBetween, RefusedSignInRepository } from './refused-sign-in.repository.js';
import { TwoFactorService } from './two-factor.service.js';
import type { UserEntity } from './user.entity.js';
import { UsersService } from './users.service.js';

/** An attack that goes on for months adds one row a day to the audit log, which is never deleted. */
const REPORT_INTERVAL_MS = 86_400_000;

/**
 * Checks the passwords and codes of sign-ins, as often as limits allow, and counts those that are refused
 * (specification/authentication.md#guessed-passwords). Nothing here depends on whether an account exists, except for
 * the row of the audit log.
 */
@Injectable()
export class SignInAttempts {
  private readonly logger = new Logger('SignIn');

  constructor(
    private readonly users: UsersService,
    private readonly twoFactor: TwoFactorService,
    private readonly throttle: BruteForceThrottle,
    private readonly browsers: KnownBrowsers,
    private readonly refusals: RefusedSignInRepository,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
    private readonly meters: Meters,
    private readonly clock: Clock,
  ) {}

  /** The user, or null when the address is unknown or the password wrong. @throws TooManyRequestsError */
  async checkPassword(
    request: IncomingMessage,
    email: string,
    password: string,
    clientId: string,
  ): Promise<UserEntity | null> {
    const known = this.browsers.list(request);
    const owner = known.length > 0 ? await this.users.findByEmail(email) : null;
    const browser = known.find(({ userId }) => userId === owner?.id)?.browserId ?? null;
    const attempt = { account: email, address: clientAddress(request), browser };
    const limitOf = (error: TooManyRequestsError) =>
      error instanceof AccountBoundError ? 'account_limit' : 'address_limit';
    const { result, isBoundReached } = await this.counted(limitOf, () =>
      this.throttle.guardPassword(attempt, () => this.users.verifyPassword(email, password)),
    );
    if (!result) {
      const user = await this.users.findByEmail(email);
      await this.refuse(user?.id ?? null, 'password', isBoundReached, clientId);
    }
    return result;
  }

  /** Whether the code of a user with the right password is good; it is then used up. @throws TooManyRequestsError */
  async checkCode(
    request: IncomingMessage,
    userId: string,
    code: string,
    clientId: string,
  ): Promise<boolean> {
    const browser = this.browsers.find(request, userId);
    const { isGood, isBoundReached } = await this.counted(
      () => 'code_limit',
      () => this.twoFactor.redeem(userId, code, browser),
    );
    if (!isGood) await this.refuse(userId, 'code', isBoundReached, clientId);
    return isGood;
  }

  /** Counts from zero, in the transaction of a sign-in. Returns what was refused since the one before. */
  forget(userId: string): Promise<RefusedBetween> {
    return this.refusals.reset(userId);
  }

  /** Lets the browser of a sign-in be known from now on. */
  remember(request: IncomingMessage, response: ServerResponse, userId: string): void {
    this.browsers.remember(request, response, userId);
  }

  private async counted<T>(
    limitOf: (error: TooManyRequestsError) => SignInRefusal,
    check: () => Promise<T>,
  ): Promise<T> {
    try {
      return await check();
    } catch (error) {
      if (error instanceof TooManyRequestsError) this.meters.refusedSignIns.add({ reason: limitOf(error) });
      throw error;
    }
  }

  /**
   * Never with the submitted text: users sometimes type the password into the email field.
   * @param userId null: there is no such account
   */
  private async refuse(
    userId: string | null,
    reason: RefusalReason,
    isBoundReached: boolean,
    clientId: string,
  ): Promise<void> {
    this.meters.refusedSignIns.add({ reason });
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
      const isNews = await this.refusals.count(refusal);
      if (!isNews || userId === null) return;
      this.logger.error({ userId, reason, clientId }, 'an account is being guessed: its bound is reached');
      const target = { kind: 'user', id: userId };
      await this.audit.record({ act: 'sign_in.blocked', userId, target, details: { reason } });
    });
  }
}
