import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AuditAction } from '../../../platform/kernel/audit-actions.pure.js';
import { AuditLog } from '../../../platform/integrity/audit-log.service.js';
import { BruteForceThrottle } from '../../../platform/web/rate-limiting/brute-force-throttle.service.js';
import { ConflictError, ValidationError } from '../../../platform/kernel/errors/errors.pure.js';
import { UUID } from '../../../platform/kernel/ids.pure.js';
import { Sql } from '../../../platform/database/sql.js';
import { CONFIG, type Config } from '../../../config.js';
import { AccountService } from './account.service.js';
import { OidcStore } from '../oidc-store.js';
import type { TypedCode } from './recovery-codes.pure.js';
import { SecondFactorCodes } from './second-factor-codes.service.js';
import { SecondFactorRepository, type TwoFactorState } from './second-factor.repository.js';
import { totpUri } from './totp.pure.js';
import { WRONG_CODE } from './recovery-codes.pure.js';

export type { TwoFactorState } from './second-factor.repository.js';

/** What an authenticator app needs, shown once. */
export interface Enrolment {
  /** Base32. */
  secret: string;
  uri: string;
}

/** How the check of a code at the sign-in ended. */
export interface RedeemedCode {
  isGood: boolean;
  /** The code was the last wrong one that is allowed for now. */
  isBoundReached: boolean;
}

/** Time-based codes as a second factor (RFC 6238), with recovery codes for a lost device. */
@Injectable()
export class TwoFactorService {
  private readonly logger = new Logger('TwoFactor');

  constructor(
    private readonly sql: Sql,
    private readonly factors: SecondFactorRepository,
    private readonly audit: AuditLog,
    private readonly codes: SecondFactorCodes,
    private readonly accounts: AccountService,
    private readonly throttle: BruteForceThrottle,
    private readonly store: OidcStore,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async get(userId: string): Promise<TwoFactorState> {
    await this.accounts.get(userId);
    return this.find(userId);
  }

  /** Whether signing in requires a code of this user. */
  async isEnabled(userId: string): Promise<boolean> {
    const { enabledAt } = await this.find(userId);
    if (enabledAt !== null) return true;
    const isMissing = await this.accounts.hasSecondFactor(userId);
    if (isMissing) this.factors.reportMissing(userId);
    return isMissing;
  }

  /**
   * Creates a secret, which takes effect with {@link confirm}. Called again, it replaces the unconfirmed one.
   * @throws ConflictError `two_factor_already_enabled`, ValidationError on `currentPassword`
   */
  async enrol(userId: string, password: string): Promise<Enrolment> {
    const { email } = await this.accounts.get(userId);
    const who = await this.accounts.reauthenticate(userId, password);
    const secret = await this.sql.transaction(async () => {
      await this.accounts.holdPassword(who);
      const enrolled = await this.codes.enrol(userId);
      if (enrolled === null) throw alreadyEnabled();
      return enrolled;
    });
    // Apps show the name of the gateway beside the account and would cut it at a colon, so the port is left out.
    return { secret, uri: totpUri(secret, new URL(this.config.baseUrl).hostname, email) };
  }

  /**
   * Enables the second factor, and ends every other sign-in: they were made without it. The code proves that the user's
   * app has the enrolled secret.
   * @param keptGrantId the sign-in of this request, which stays; null: none
   * @returns the recovery codes, which cannot be shown again
   */
  async confirm(userId: string, code: string, keptGrantId: string | null): Promise<string[]> {
    await this.accounts.get(userId);
    await this.throttle.takeGuess('second-factor-confirmation', userId);
    const codes = await this.sql.transaction(async () => {
      const factor = await this.factors.lock(userId);
      if (!factor) throw notEnabled('No two-factor authentication was enrolled');
      if (factor.confirmedAt) throw alreadyEnabled();
      if (!(await this.codes.confirm(userId, factor, code))) throw wrongCode();
      const recoveryCodes = await this.codes.replaceRecoveryCodes(userId);
      await this.accounts.setSecondFactor(userId, true);
      await this.store.signOut(userId, keptGrantId);
      await this.record('second_factor.enabled', userId);
      return recoveryCodes;
    });
    await this.throttle.restoreGuesses('second-factor-confirmation', userId);
    this.logger.log({ userId }, 'two-factor authentication enabled');
    return codes;
  }

  /** Returns new recovery codes; the old ones become invalid. */
  regenerate(userId: string, password: string, code: string): Promise<string[]> {
    return this.change(userId, password, code, 'recovery_codes.replaced', () =>
      this.codes.replaceRecoveryCodes(userId),
    );
  }

  /**
   * From now on, signing in requires the password alone. Ends every other sign-in.
   * @param keptGrantId as in {@link confirm}
   */
  async disable(userId: string, password: string, code: string, keptGrantId: string | null): Promise<void> {
    await this.change(userId, password, code, 'second_factor.disabled', async () => {
      await this.remove(userId);
      await this.store.signOut(userId, keptGrantId);
    });
    this.logger.warn({ userId }, 'two-factor authentication disabled');
  }

  /**
   * For the operator, when a user has lost the device and the recovery codes: another person may have them, so every
   * sign-in ends. False: there was no second factor.
   */
  async reset(userId: string): Promise<boolean> {
    await this.throttle.restoreGuesses('second-factor', userId);
    return this.sql.transaction(async () => {
      const isRemoved = await this.remove(userId);
      if (!isRemoved) return false;
      await this.store.signOut(userId);
      await this.record('second_factor.disabled', userId);
      return true;
    });
  }

  /**
   * Whether the code is valid for a user whose second factor is enabled; a valid code is used up.
   * @param browser id of a browser in which the user has signed in before: it has attempts of its own; null: unknown
   * @throws TooManyRequestsError
   */
  async redeem(userId: string, text: string, browser: string | null): Promise<RedeemedCode> {
    const subject = browser ?? userId;
    const isLast = await this.throttle.takeGuess('second-factor', subject);
    const isGood = await this.sql.transaction(async () => {
      const kind = await this.codes.spend(userId, text);
      // A sign-in with a time-based code is recorded as an ordinary one.
      if (kind === 'recovery') await this.record('recovery_code.used', userId);
      return kind !== null;
    });
    if (isGood) await this.throttle.restoreGuesses('second-factor', subject);
    return { isGood, isBoundReached: isLast && !isGood };
  }

  /** False: there was none, and there should be none. */
  private async remove(userId: string): Promise<boolean> {
    const isExpected = await this.accounts.hasSecondFactor(userId);
    if (isExpected) await this.accounts.setSecondFactor(userId, false);
    return (await this.factors.delete(userId)) || isExpected;
  }

  private async find(userId: string): Promise<TwoFactorState> {
    return UUID.test(userId) ? this.factors.findState(userId) : { enabledAt: null, recoveryCodesLeft: 0 };
  }

  /** Requires password and code; the code is used up only if the change is made. */
  private async change<T>(
    userId: string,
    password: string,
    code: string,
    act: AuditAction,
    work: () => Promise<T>,
  ): Promise<T> {
    const who = await this.accounts.reauthenticate(userId, password);
    if (!(await this.isEnabled(userId))) throw notEnabled();
    await this.throttle.takeGuess('second-factor', userId);
    const result = await this.sql.transaction(async () => {
      await this.accounts.holdPassword(who);
      const kind = await this.codes.spend(userId, code);
      if (kind === null) throw wrongCode();
      const done = await work();
      await this.record(act, userId, kind);
      return done;
    });
    await this.throttle.restoreGuesses('second-factor', userId);
    return result;
  }

  /** Call it last in the transaction. */
  private record(act: AuditAction, userId: string, code?: TypedCode['kind']): Promise<void> {
    const target = { kind: 'user', id: userId };
    return this.audit.record({ act, userId, target, details: code ? { code } : {} });
  }
}

function alreadyEnabled(): ConflictError {
  return new ConflictError('two_factor_already_enabled', 'Two-factor authentication is already enabled');
}

function notEnabled(message = 'Two-factor authentication is not enabled'): ConflictError {
  return new ConflictError('two_factor_not_enabled', message);
}

function wrongCode(): ValidationError {
  return ValidationError.of('code', WRONG_CODE);
}
