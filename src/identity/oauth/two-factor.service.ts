import { Inject, Injectable, Logger } from '@nestjs/common';
import type { AuditAction } from '../../platform/audit/audit-actions.pure.js';
import { AuditLog } from '../../platform/audit/audit-log.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { BruteForceThrottle } from '../../platform/rate-limiting/brute-force-throttle.service.js';
import { ConflictError, ValidationError } from '../../platform/errors/errors.pure.js';
import { UUID } from '../../platform/runtime/ids.pure.js';
import { Keyring } from '../../platform/security/keyring.js';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import { CONFIG, type Config } from '../../config.js';
import { AccountService } from './account.service.js';
import { newRecoveryCodes, readTypedCode, recoveryCodeHash, type TypedCode } from './recovery-codes.pure.js';
import { TOTP_PURPOSE } from './encrypted-columns.js';
import { matchingStep, newTotpSecret, totpUri } from './totp.pure.js';

/** Whether signing in takes a code. */
export interface TwoFactorState {
  /** Null: it does not. */
  enabledAt: Date | null;
  recoveryCodesLeft: number;
}

/** What an authenticator app needs, shown once. */
export interface Enrolment {
  /** Base32. */
  secret: string;
  uri: string;
}

interface FactorRow {
  sealedSecret: string;
  isConfirmed: boolean;
  lastStep: string | null;
}

const FIND_FOR_UPDATE = `
  select sealed_secret as "sealedSecret", confirmed_at is not null as "isConfirmed", last_step as "lastStep"
  from second_factors where user_id = $1 for update`;

/** Time-based codes as a second factor (RFC 6238), with recovery codes for a lost device. */
@Injectable()
export class TwoFactorService {
  private readonly logger = new Logger('TwoFactor');

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
    private readonly keyring: Keyring,
    private readonly accounts: AccountService,
    private readonly throttle: BruteForceThrottle,
    @Inject(CONFIG) private readonly config: Config,
  ) {}

  async get(userId: string): Promise<TwoFactorState> {
    await this.accounts.get(userId);
    return this.find(userId);
  }

  /** Whether a sign-in of this user must bring a code. */
  async isEnabled(userId: string): Promise<boolean> {
    return (await this.find(userId)).enabledAt !== null;
  }

  /**
   * Creates a secret, which takes effect with {@link confirm}. Called again, it replaces the unconfirmed one.
   * @throws ConflictError `two_factor_already_enabled`, ValidationError on `currentPassword`
   */
  async enrol(userId: string, password: string): Promise<Enrolment> {
    const { email } = await this.accounts.get(userId);
    const who = await this.accounts.reauthenticate(userId, password);
    const secret = newTotpSecret();
    await this.sql.transaction(async (tx) => {
      await this.accounts.holdPassword(tx, who);
      const enrolled = await tx.query(
        `insert into second_factors as f (user_id, sealed_secret, created_at) values ($1, $2, $3)
         on conflict (user_id) do update set sealed_secret = excluded.sealed_secret, created_at = excluded.created_at
           where f.confirmed_at is null
         returning user_id`,
        [userId, this.keyring.seal(TOTP_PURPOSE, userId, secret), this.clock.now()],
      );
      if (enrolled.length === 0) throw alreadyEnabled();
    });
    // Programs show the name of the gateway beside the account; one with a colon in it would end there.
    return { secret, uri: totpUri(secret, new URL(this.config.baseUrl).hostname, email) };
  }

  /**
   * Puts the enrolled secret in force, which a code of it proves to be in the user's hands.
   * @returns the recovery codes, readable for the last time
   */
  async confirm(userId: string, code: string): Promise<string[]> {
    await this.accounts.get(userId);
    await this.throttle.takeGuess('second-factor-confirmation', userId);
    const codes = await this.sql.transaction(async (tx) => {
      const [factor] = await tx.query<FactorRow>(FIND_FOR_UPDATE, [userId]);
      if (!factor) throw notEnabled('No two-factor authentication was enrolled');
      if (factor.isConfirmed) throw alreadyEnabled();
      const typed = readTypedCode(code);
      const step = typed?.kind === 'totp' ? this.match(userId, factor, typed.code) : null;
      if (step === null) throw wrongCode();
      await tx.query('update second_factors set confirmed_at = $2, last_step = $3 where user_id = $1', [
        userId,
        this.clock.now(),
        step,
      ]);
      const recoveryCodes = await this.replaceRecoveryCodes(tx, userId);
      await this.record(tx, 'second_factor.enabled', userId);
      return recoveryCodes;
    });
    await this.throttle.restoreGuesses('second-factor-confirmation', userId);
    this.logger.log({ userId }, 'two-factor authentication enabled');
    return codes;
  }

  /** New recovery codes; the old ones are worth nothing from now on. */
  regenerate(userId: string, password: string, code: string): Promise<string[]> {
    return this.change(userId, password, code, 'recovery_codes.replaced', (tx) =>
      this.replaceRecoveryCodes(tx, userId),
    );
  }

  /** Signing in takes the password alone again. */
  async disable(userId: string, password: string, code: string): Promise<void> {
    await this.change(userId, password, code, 'second_factor.disabled', (tx) => remove(tx, userId));
    this.logger.warn({ userId }, 'two-factor authentication disabled');
  }

  /** For the operator, when a user has lost device and recovery codes. False: there was none. */
  async reset(userId: string): Promise<boolean> {
    await this.throttle.restoreGuesses('second-factor', userId);
    return this.sql.transaction(async (tx) => {
      const isRemoved = await remove(tx, userId);
      if (isRemoved) await this.record(tx, 'second_factor.disabled', userId);
      return isRemoved;
    });
  }

  /**
   * Whether the code is valid for a user whose second factor is active; a valid code is spent.
   * @throws TooManyRequestsError
   */
  async redeem(userId: string, text: string): Promise<boolean> {
    await this.throttle.takeGuess('second-factor', userId);
    const isGood = await this.sql.transaction(async (tx) => {
      const kind = await this.spend(tx, userId, text);
      // A code by time is an ordinary sign-in, which is written down as one.
      if (kind === 'recovery') await this.record(tx, 'recovery_code.used', userId);
      return kind !== null;
    });
    if (isGood) await this.throttle.restoreGuesses('second-factor', userId);
    return isGood;
  }

  private async find(userId: string): Promise<TwoFactorState> {
    if (!UUID.test(userId)) return { enabledAt: null, recoveryCodesLeft: 0 };
    const [row] = await this.sql.query<TwoFactorState>(
      `select f.confirmed_at as "enabledAt",
         (select count(*)::int from recovery_codes c where c.user_id = f.user_id and c.used_at is null)
           as "recoveryCodesLeft"
       from second_factors f where f.user_id = $1`,
      [userId],
    );
    return row ?? { enabledAt: null, recoveryCodesLeft: 0 };
  }

  /** Password and code in one request; the code is spent only if the change is made. */
  private async change<T>(
    userId: string,
    password: string,
    code: string,
    act: AuditAction,
    work: (tx: Queryable) => Promise<T>,
  ): Promise<T> {
    const who = await this.accounts.reauthenticate(userId, password);
    if (!(await this.isEnabled(userId))) throw notEnabled();
    await this.throttle.takeGuess('second-factor', userId);
    const result = await this.sql.transaction(async (tx) => {
      await this.accounts.holdPassword(tx, who);
      const kind = await this.spend(tx, userId, code);
      if (kind === null) throw wrongCode();
      const done = await work(tx);
      await this.record(tx, act, userId, kind);
      return done;
    });
    await this.throttle.restoreGuesses('second-factor', userId);
    return result;
  }

  /**
   * The row lock makes two requests with one code meet here; the second one finds it spent.
   * @returns the kind of the code, or null if it is invalid
   */
  private async spend(tx: Queryable, userId: string, text: string): Promise<TypedCode['kind'] | null> {
    const typed = readTypedCode(text);
    const [factor] = await tx.query<FactorRow>(FIND_FOR_UPDATE, [userId]);
    if (!typed || !factor?.isConfirmed) return null;
    const isGood =
      typed.kind === 'totp'
        ? await this.spendTotp(tx, userId, factor, typed)
        : await this.spendRecoveryCode(tx, userId, typed);
    return isGood ? typed.kind : null;
  }

  /** As the last statement of its transaction. */
  private record(tx: Queryable, act: AuditAction, userId: string, code?: TypedCode['kind']): Promise<void> {
    const target = { kind: 'user', id: userId };
    return this.audit.record(tx, { act, userId, target, details: code ? { code } : {} });
  }

  private async spendTotp(
    tx: Queryable,
    userId: string,
    factor: FactorRow,
    { code }: TypedCode,
  ): Promise<boolean> {
    const step = this.match(userId, factor, code);
    if (step === null) return false;
    await tx.query('update second_factors set last_step = $2 where user_id = $1', [userId, step]);
    return true;
  }

  private async spendRecoveryCode(tx: Queryable, userId: string, { code }: TypedCode): Promise<boolean> {
    const spent = await tx.query(
      `update recovery_codes set used_at = $3
       where user_id = $1 and code_hash = $2 and used_at is null returning slot`,
      [userId, recoveryCodeHash(userId, code), this.clock.now()],
    );
    if (spent.length > 0) this.logger.warn({ userId }, 'recovery code used');
    return spent.length > 0;
  }

  private match(userId: string, { sealedSecret, lastStep }: FactorRow, code: string): number | null {
    const secret = this.keyring.unseal(TOTP_PURPOSE, userId, sealedSecret);
    const after = lastStep === null ? null : Number(lastStep);
    return matchingStep(secret, code, this.clock.unixSeconds(), after);
  }

  private async replaceRecoveryCodes(tx: Queryable, userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => recoveryCodeHash(userId, code.replaceAll('-', '')));
    await tx.query('delete from recovery_codes where user_id = $1', [userId]);
    await tx.query(
      `insert into recovery_codes (user_id, slot, code_hash, created_at)
       select $1, n.slot, n.hash, $3 from unnest($2::bytea[]) with ordinality as n (hash, slot)`,
      [userId, hashes, this.clock.now()],
    );
    return codes;
  }
}

async function remove(tx: Queryable, userId: string): Promise<boolean> {
  // Its recovery codes go with it.
  const removed = await tx.query('delete from second_factors where user_id = $1 returning user_id', [userId]);
  return removed.length > 0;
}

function alreadyEnabled(): ConflictError {
  return new ConflictError('two_factor_already_enabled', 'Two-factor authentication is already enabled');
}

function notEnabled(message = 'Two-factor authentication is not enabled'): ConflictError {
  return new ConflictError('two_factor_not_enabled', message);
}

function wrongCode(): ValidationError {
  return ValidationError.of('code', 'The code is not correct or was used before.');
}
