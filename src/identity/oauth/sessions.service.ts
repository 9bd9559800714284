import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { Sql } from '../../platform/database/sql.js';
import { NotFoundError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { OidcPayloadRepository, type SignInSession } from './oidc-payload.repository.js';
import { OidcStore } from './oidc-store.js';

export type { SignInSession } from './oidc-payload.repository.js';

/** The sign-ins of a user: each is the grant that a client got, and everything that hangs on it. */
@Injectable()
export class SessionsService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly payloads: OidcPayloadRepository,
    private readonly store: OidcStore,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. */
  list(userId: string): Promise<SignInSession[]> {
    return this.payloads.listSessions(userId, this.clock.now());
  }

  /** @throws NotFoundError also for a session of another user */
  async end(userId: string, grantId: string): Promise<void> {
    await this.sql.transaction(async () => {
      const clientId = await this.payloads.deleteGrant(userId, grantId);
      if (clientId === null)
        throw new NotFoundError(
          'not_found',
          'Session not found',
          'GET /api/account/sessions lists them, each with its id.',
        );
      const target = { kind: 'oauth_client', id: clientId };
      await this.audit.record({ act: 'session.ended', userId, target, details: { grantId } });
    });
  }

  /** @param keptGrantId null: ends all. Returns how many sessions have ended. */
  async endOthers(userId: string, keptGrantId: string | null): Promise<number> {
    return this.sql.transaction(async () => {
      const others = (await this.list(userId)).filter(({ id }) => id !== keptGrantId);
      await this.store.signOut(userId, keptGrantId);
      const target = { kind: 'user', id: userId };
      const details = { count: others.length };
      await this.audit.record({ act: 'sessions.ended', userId, target, details });
      return others.length;
    });
  }
}
