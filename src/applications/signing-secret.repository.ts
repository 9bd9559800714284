import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { rowChanged } from '../platform/integrity/audited-table.js';
import { Sql } from '../platform/database/sql.js';
import { APPLICATIONS, ApplicationEntity } from './application.entity.js';

/** An application's signing secrets as its row stores them. */
export interface SealedSigningSecrets extends Pick<
  ApplicationEntity,
  'sealedSecret' | 'sealedPreviousSecret' | 'previousSecretUntil'
> {
  applicationId: string;
}

const SECRETS = columnsOf(ApplicationEntity, 'a', [
  'sealedSecret',
  'sealedPreviousSecret',
  'previousSecretUntil',
]);
const FIND = `select a.id as "applicationId", ${SECRETS.list} from payment_applications a where a.id = $1`;
const LIST = `
  select a.id::text as id, a.sealed_secret as "sealedSecret" from payment_applications a
  where a.id::text > $1 order by a.id::text limit $2`;
const REPLACE = `
  update payment_applications
  set sealed_secret = $2, sealed_previous_secret = $3, previous_secret_until = $4 where id = $1`;
const FORGET_PREVIOUS = `
  update payment_applications set sealed_previous_secret = null, previous_secret_until = null where id = $1`;
const FORGET_EXPIRED = `
  update payment_applications set sealed_previous_secret = null, previous_secret_until = null
  where previous_secret_until <= $1 returning id, user_id as "userId"`;

/** The encrypted signing secrets of applications (payment_applications). */
@Injectable()
export class SigningSecretRepository {
  constructor(private readonly sql: Sql) {}

  async find(applicationId: string): Promise<SealedSigningSecrets | null> {
    const [row] = await this.sql.query<SealedSigningSecrets>(FIND, [applicationId]);
    return row ?? null;
  }

  /** In the order of the ids' text. @param after the empty string: from the first */
  list(after: string, limit: number): Promise<Pick<ApplicationEntity, 'id' | 'sealedSecret'>[]> {
    return this.sql.query(LIST, [after, limit]);
  }

  async replace({
    applicationId,
    sealedSecret,
    sealedPreviousSecret,
    previousSecretUntil,
  }: SealedSigningSecrets): Promise<void> {
    rowChanged(APPLICATIONS, applicationId);
    await this.sql.query(REPLACE, [applicationId, sealedSecret, sealedPreviousSecret, previousSecretUntil]);
  }

  async forgetPrevious(applicationId: string): Promise<void> {
    rowChanged(APPLICATIONS, applicationId);
    await this.sql.query(FORGET_PREVIOUS, [applicationId]);
  }

  /** Deletes the previous secrets that are no longer used; returns whose. */
  async forgetExpired(now: Date): Promise<Pick<ApplicationEntity, 'id' | 'userId'>[]> {
    return this.sql.query(FORGET_EXPIRED, [now]);
  }
}
