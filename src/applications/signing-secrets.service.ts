import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/kernel/clock.pure.js';
import { NotFoundError } from '../platform/kernel/errors/errors.pure.js';
import { Keyring, UnsealError } from '../platform/kernel/keyring.js';
import type { Sql } from '../platform/database/sql.js';
import { SECRET_PURPOSE } from './encrypted-columns.js';
import { SecretChangePendingError } from './secret-change-pending.pure.js';
import { type SealedSigningSecrets, SigningSecretRepository } from './signing-secret.repository.js';
import { SigningSecretCache } from './signing-secret-cache.js';
import { isMalformedSecret } from './webhook-secret.pure.js';

export type { SealedSigningSecrets } from './signing-secret.repository.js';

/** Decrypted signing secrets; `previous` only within its 24 h (specification/webhooks.md#secret-rotation). */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}

/** How long the previous secret signs beside the new one (specification/webhooks.md#secret-rotation). */
const PREVIOUS_SECRET_MS = 24 * 3_600 * 1_000;
/** Secrets that are decrypted at a time. */
const PAGE = 1_000;

/** The secrets that sign the webhooks of an application. */
@Injectable()
export class SigningSecretsService {
  private readonly opened: SigningSecretCache;

  constructor(
    private readonly repository: SigningSecretRepository,
    private readonly clock: Clock,
    private readonly keyring: Keyring,
  ) {
    this.opened = new SigningSecretCache(keyring);
  }

  /** For programs without Nest's container. */
  static of(sql: Sql, clock: Clock, keyring: Keyring): SigningSecretsService {
    return new SigningSecretsService(new SigningSecretRepository(sql), clock, keyring);
  }

  /**
   * The keys that webhooks are signed with; the previous one for 24 h after a change.
   * @throws UnsealError when the keyring cannot decrypt them: such a secret never signs
   */
  async get(applicationId: string): Promise<SigningSecrets> {
    return this.open(await this.getSealed(applicationId));
  }

  /** The encrypted secrets, for {@link open}. */
  async getSealed(applicationId: string): Promise<SealedSigningSecrets> {
    const sealed = await this.repository.find(applicationId);
    if (!sealed) throw new NotFoundError('payment_application_not_found', 'Payment application not found');
    return sealed;
  }

  /** Like {@link get}, for columns that were selected together with the payload to sign. */
  open(sealed: SealedSigningSecrets): SigningSecrets {
    const { applicationId, sealedSecret, sealedPreviousSecret, previousSecretUntil } = sealed;
    const isPreviousValid = previousSecretUntil !== null && previousSecretUntil > this.clock.now();
    return {
      current: this.opened.open(applicationId, sealedSecret),
      previous:
        isPreviousValid && sealedPreviousSecret !== null
          ? this.opened.open(applicationId, sealedPreviousSecret)
          : null,
    };
  }

  /** Encrypts the secret of an application. */
  seal(applicationId: string, secret: string): string {
    return this.keyring.seal(SECRET_PURPOSE, applicationId, secret);
  }

  /**
   * Stores a new secret in the caller's transaction; the old one goes on signing beside it for 24 h, and until then no
   * third one is taken: the one that the shop may still have would be lost.
   * @param sealedCurrent as it is stored, read under the lock of its row
   * @returns false if it already was the secret
   * @throws SecretChangePendingError
   */
  async replace(applicationId: string, sealedCurrent: string, secret: string): Promise<boolean> {
    const current = this.unsealOrNull(applicationId, sealedCurrent);
    // Saving the same secret again is no change: it must not shorten the validity of the previous one.
    if (current === secret) return false;
    const pending = await this.findPending(applicationId);
    if (current !== null && pending) throw new SecretChangePendingError(applicationId, pending.until);
    const until = new Date(this.clock.now().getTime() + PREVIOUS_SECRET_MS);
    // A secret that cannot be decrypted must not become the previous one: it would block signing.
    const previous = current === null ? pending : { sealed: sealedCurrent, until };
    await this.repository.replace({
      applicationId,
      sealedSecret: this.seal(applicationId, secret),
      sealedPreviousSecret: previous?.sealed ?? null,
      previousSecretUntil: previous?.until ?? null,
    });
    return true;
  }

  /**
   * Whether the secret looks encoded and is not, so that published verifiers refuse what it signs; false where no key
   * decrypts it.
   */
  async isMalformed(applicationId: string): Promise<boolean> {
    const { sealedSecret } = await this.getSealed(applicationId);
    return this.isSealedMalformed(applicationId, sealedSecret);
  }

  /** The applications of which {@link isMalformed} holds, deleted ones too: their payments still send webhooks. */
  async listMalformed(): Promise<string[]> {
    const malformed: string[] = [];
    let after = '';
    for (;;) {
      const rows = await this.repository.list(after, PAGE);
      for (const { id, sealedSecret } of rows)
        if (this.isSealedMalformed(id, sealedSecret)) malformed.push(id);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return malformed;
      after = last.id;
    }
  }

  /** Until when the secret before the last change signs too; null: there is none. */
  async findPreviousUntil(applicationId: string): Promise<Date | null> {
    const { previousSecretUntil: until } = await this.getSealed(applicationId);
    return until !== null && until > this.clock.now() ? until : null;
  }

  /** Only the current secret signs from now on. */
  forgetPrevious(applicationId: string): Promise<void> {
    return this.repository.forgetPrevious(applicationId);
  }

  /** Deletes previous secrets whose 24 h are over. Returns whose. */
  forgetExpired(): Promise<{ id: string; userId: string }[]> {
    return this.repository.forgetExpired(this.clock.now());
  }

  /** The previous secret that the shop may still have; none where it cannot be decrypted, as it blocks signing. */
  private async findPending(applicationId: string): Promise<{ sealed: string; until: Date } | null> {
    const { sealedPreviousSecret: sealed, previousSecretUntil: until } = await this.getSealed(applicationId);
    const isPending = sealed !== null && until !== null && until > this.clock.now();
    return isPending && this.unsealOrNull(applicationId, sealed) !== null ? { sealed, until } : null;
  }

  private isSealedMalformed(applicationId: string, sealedSecret: string): boolean {
    try {
      return isMalformedSecret(this.opened.open(applicationId, sealedSecret));
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  }

  private unsealOrNull(applicationId: string, sealed: string): string | null {
    try {
      return this.keyring.unseal(SECRET_PURPOSE, applicationId, sealed);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
