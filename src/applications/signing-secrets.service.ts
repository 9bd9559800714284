import { Injectable } from '@nestjs/common';
import { Clock } from '../platform/runtime/clock.pure.js';
import { NotFoundError } from '../platform/errors/errors.pure.js';
import { Keyring, UnsealError } from '../platform/security/keyring.js';
import { Sql } from '../platform/database/sql.js';
import { SigningSecretCache } from './signing-secret-cache.js';
import { isMalformedSecret } from './webhook-secret.pure.js';

/** An application's signing secrets as its row keeps them. */
export interface SealedSigningSecrets {
  applicationId: string;
  sealedSecret: string;
  sealedPreviousSecret: string | null;
  previousSecretUntil: Date | null;
}

/** The same, readable; `previous` only within its 24 h (specification/webhooks.md#secret-rotation). */
export interface SigningSecrets {
  current: string;
  previous: string | null;
}

/** Secrets that are opened at a time. */
const PAGE = 1_000;

/** The signing secrets of applications; they are changed with their application. */
@Injectable()
export class SigningSecretsService {
  private readonly opened: SigningSecretCache;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    keyring: Keyring,
  ) {
    this.opened = new SigningSecretCache(keyring);
  }

  /**
   * The keys that webhooks are signed with; the previous one for 24 h after a change.
   * @throws UnsealError when the keyring cannot open them: such a secret never signs
   */
  async get(applicationId: string): Promise<SigningSecrets> {
    return this.open(await this.getSealed(applicationId));
  }

  /** The encrypted secrets, for {@link open}. */
  async getSealed(applicationId: string): Promise<SealedSigningSecrets> {
    const [row] = await this.sql.query<SealedSigningSecrets>(
      `select id as "applicationId", sealed_secret as "sealedSecret",
         sealed_previous_secret as "sealedPreviousSecret", previous_secret_until as "previousSecretUntil"
       from payment_applications where id = $1`,
      [applicationId],
    );
    if (!row) throw new NotFoundError('payment_application_not_found', 'Payment application not found');
    return row;
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

  /**
   * Whether the secret looks encoded and is not, so that published verifiers refuse what it signs; false where no key
   * opens it.
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
      const rows = await this.sql.query<{ id: string; sealedSecret: string }>(
        `select id::text as id, sealed_secret as "sealedSecret" from payment_applications
         where id::text > $1 order by id::text limit $2`,
        [after, PAGE],
      );
      for (const { id, sealedSecret } of rows)
        if (this.isSealedMalformed(id, sealedSecret)) malformed.push(id);
      const last = rows.at(-1);
      if (!last || rows.length < PAGE) return malformed;
      after = last.id;
    }
  }

  private isSealedMalformed(applicationId: string, sealedSecret: string): boolean {
    try {
      return isMalformedSecret(this.opened.open(applicationId, sealedSecret));
    } catch (error) {
      if (error instanceof UnsealError) return false;
      throw error;
    }
  }

  /** Deletes previous secrets whose 24 h are over. Returns how many. */
  async forgetExpired(): Promise<number> {
    const forgotten = await this.sql.query(
      `update payment_applications set sealed_previous_secret = null, previous_secret_until = null
       where previous_secret_until <= $1 returning id`,
      [this.clock.now()],
    );
    return forgotten.length;
  }
}
