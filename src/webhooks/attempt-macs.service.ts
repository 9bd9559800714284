import { Injectable } from '@nestjs/common';
import type { AuthenticatedRows, WithMac } from '../platform/integrity/authenticated-rows.js';
import { RowAuthenticator } from '../platform/integrity/row-authenticator.service.js';
import { WEBHOOK_ATTEMPTS, type WebhookAttemptEntity } from './webhook-attempt.entity.js';

type Field = (typeof WEBHOOK_ATTEMPTS.fields)[number];

/** Of some deliveries: columns of the attempts that have ended, null where nothing was sent. */
interface EndedAttempts {
  ids: readonly string[];
  attempts: readonly number[];
  startedAts: readonly (Date | null)[];
  urls: readonly (string | null)[];
  httpStatuses: readonly (number | null)[];
  errors: readonly (string | null)[];
}

/** That the gateway has made an attempt, and what came of it. */
@Injectable()
export class AttemptMacs {
  private readonly rows: AuthenticatedRows<WebhookAttemptEntity, Field>;

  constructor(authenticator: RowAuthenticator) {
    this.rows = authenticator.of(WEBHOOK_ATTEMPTS);
  }

  /** One for each delivery; null where nothing was sent. */
  macsOf({ ids, startedAts, attempts, urls, httpStatuses, errors }: EndedAttempts): (string | null)[] {
    return ids.map((deliveryId, i) => {
      const [createdAt, number, url] = [startedAts[i], attempts[i], urls[i]];
      if (!createdAt || number === undefined || typeof url !== 'string') return null;
      const [httpStatus, error] = [httpStatuses[i] ?? null, errors[i] ?? null];
      return this.rows.mac({ deliveryId, number, url, httpStatus, error, createdAt });
    });
  }

  isAuthentic(attempt: Pick<WebhookAttemptEntity, Field> & WithMac): boolean {
    return this.rows.matches(attempt);
  }
}
