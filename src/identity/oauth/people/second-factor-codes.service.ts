import { Injectable, Logger } from '@nestjs/common';
import { Clock } from '../../../platform/kernel/clock.pure.js';
import { Keyring } from '../../../platform/kernel/keyring.js';
import { TOTP_PURPOSE } from '../encrypted-columns.js';
import { newRecoveryCodes, readTypedCode, recoveryCodeHash, type TypedCode } from './recovery-codes.pure.js';
import type { SecondFactorEntity } from './second-factor.entity.js';
import { SecondFactorRepository } from './second-factor.repository.js';
import { matchingStep, newTotpSecret } from './totp.pure.js';

/** The secrets of second factors, and the codes that prove them; each code is good once. Call it in a transaction. */
@Injectable()
export class SecondFactorCodes {
  private readonly logger = new Logger('TwoFactor');

  constructor(
    private readonly factors: SecondFactorRepository,
    private readonly keyring: Keyring,
    private readonly clock: Clock,
  ) {}

  /** Stores a new secret, which replaces an unconfirmed one. @returns it in base32; null: a confirmed one is there */
  async enrol(userId: string): Promise<string | null> {
    const secret = newTotpSecret();
    const sealed = this.keyring.seal(TOTP_PURPOSE, userId, secret);
    return (await this.factors.enrol(userId, sealed, this.clock.now())) ? secret : null;
  }

  /** Confirms a locked factor by the first code of the user's app. False: the code is not of its secret. */
  async confirm(userId: string, factor: SecondFactorEntity, text: string): Promise<boolean> {
    const typed = readTypedCode(text);
    const step = typed?.kind === 'totp' ? this.match(userId, factor, typed.code) : null;
    if (step === null) return false;
    await this.factors.confirm(userId, this.clock.now(), step);
    return true;
  }

  /**
   * Uses up a code. Of two concurrent requests with the same code, the row lock lets only the first one use it.
   * @returns the kind of the code, or null if it is invalid
   */
  async spend(userId: string, text: string): Promise<TypedCode['kind'] | null> {
    const typed = readTypedCode(text);
    const factor = await this.factors.lock(userId);
    if (!typed || !factor?.confirmedAt) return null;
    const isGood =
      typed.kind === 'totp'
        ? await this.spendTotp(userId, factor, typed)
        : await this.spendRecoveryCode(userId, typed);
    return isGood ? typed.kind : null;
  }

  /** Returns new recovery codes; the old ones become invalid. */
  async replaceRecoveryCodes(userId: string): Promise<string[]> {
    const codes = newRecoveryCodes();
    const hashes = codes.map((code) => recoveryCodeHash(userId, code.replaceAll('-', '')));
    await this.factors.replaceRecoveryCodes(userId, hashes, this.clock.now());
    return codes;
  }

  private async spendTotp(userId: string, factor: SecondFactorEntity, { code }: TypedCode): Promise<boolean> {
    const step = this.match(userId, factor, code);
    if (step === null) return false;
    await this.factors.setLastStep(userId, step);
    return true;
  }

  private async spendRecoveryCode(userId: string, { code }: TypedCode): Promise<boolean> {
    const isUsed = await this.factors.useRecoveryCode(
      userId,
      recoveryCodeHash(userId, code),
      this.clock.now(),
    );
    if (isUsed) this.logger.warn({ userId }, 'recovery code used');
    return isUsed;
  }

  private match(userId: string, { sealedSecret, lastStep }: SecondFactorEntity, code: string): number | null {
    const secret = this.keyring.unseal(TOTP_PURPOSE, userId, sealedSecret);
    return matchingStep(secret, code, this.clock.unixSeconds(), lastStep);
  }
}
