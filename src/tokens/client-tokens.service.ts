import { Inject, Injectable } from '@nestjs/common';
import { applicationDeleted } from '../applications/application-deleted.pure.js';
import { ApplicationsService } from '../applications/applications.service.js';
import { AuditLog } from '../platform/integrity/audit-log.service.js';
import { Clock } from '../platform/kernel/clock.pure.js';
import { NotFoundError, ValidationError } from '../platform/kernel/errors/errors.pure.js';
import { newId, UUID } from '../platform/kernel/ids.pure.js';
import { Page, type PageQuery } from '../platform/web/http/pagination.js';
import type { Draft } from '../platform/web/contract/read-contract.js';
import { Sql } from '../platform/database/sql.js';
import { CONFIG, type Config } from '../config.js';
import { hashClientToken, newClientToken, shownPrefix } from './client-token.pure.js';
import type { ClientTokenEntity } from './client-token.entity.js';
import { ClientTokenRepository } from './client-token.repository.js';
import type { CreateClientTokenContract } from './client-tokens.contract.js';

/** The client tokens of an application (specification/authentication.md#client-tokens); every call names the owner. */
@Injectable()
export class ClientTokensService {
  constructor(
    private readonly tokens: ClientTokenRepository,
    @Inject(CONFIG) private readonly config: Config,
    private readonly applications: ApplicationsService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Newest first, with expired and revoked ones. */
  async list(userId: string, applicationId: string, query: PageQuery): Promise<Page<ClientTokenEntity>> {
    await this.applications.getOwned(userId, applicationId);
    const [items, total] = await this.tokens.list(userId, applicationId, query);
    return Page.of(items, total, query);
  }

  async get(userId: string, applicationId: string, tokenId: string): Promise<ClientTokenEntity> {
    await this.applications.getOwned(userId, applicationId);
    const token = UUID.test(tokenId) ? await this.tokens.findOwned(userId, applicationId, tokenId) : null;
    if (!token) throw new NotFoundError('not_found', 'Client token not found');
    return token;
  }

  /** Returns the token itself, which cannot be read again. */
  async create(
    userId: string,
    applicationId: string,
    draft: Draft<CreateClientTokenContract>,
  ): Promise<{ clientToken: Omit<ClientTokenEntity, 'mac'>; token: string }> {
    const now = this.clock.now();
    const { given, problems } = draft;
    if (given.expiresAt && given.expiresAt <= now)
      problems.add('expiresAt', 'The expiresAt field must be a date in the future.');
    const { label, scopes, expiresAt = null } = draft.finish();
    const application = await this.applications.getOwned(userId, applicationId);
    if (application.deletedAt) throw applicationDeleted(applicationId);
    const token = newClientToken();
    const clientToken = {
      id: newId(now),
      applicationId,
      userId,
      label,
      scopes,
      tokenHash: hashClientToken(token),
      tokenPrefix: shownPrefix(token),
      expiresAt,
      lastUsedAt: null,
      revokedAt: null,
      createdAt: now,
    };
    await this.insert(clientToken);
    return { clientToken, token };
  }

  /** Takes effect on the next request; repeating it changes nothing. */
  async revoke(userId: string, applicationId: string, tokenId: string): Promise<void> {
    const { id } = await this.get(userId, applicationId, tokenId);
    await this.sql.transaction(async () => {
      if (!(await this.tokens.revoke(id, this.clock.now()))) return;
      const target = { kind: 'client_token', id };
      await this.audit.record({
        act: 'client_token.revoked',
        userId,
        target,
        details: { applicationId },
      });
    });
  }

  /** Counts and inserts under a lock on the application, so that two concurrent requests cannot exceed the limit. */
  private async insert(token: Omit<ClientTokenEntity, 'mac'>): Promise<void> {
    await this.sql.transaction(async () => {
      await this.applications.lock(token.applicationId);
      const active = await this.tokens.countActive(token.applicationId, token.createdAt);
      const max = this.config.maxClientTokensPerApplication;
      // No field is wrong; every client shows the messages of `label`, the first field of the form.
      if (active >= max)
        throw ValidationError.of('label', `The payment application already has ${max} active client tokens.`);
      await this.tokens.insert(token);
      const { id, userId, applicationId, scopes } = token;
      const target = { kind: 'client_token', id };
      const details = { applicationId, scopes };
      await this.audit.record({ act: 'client_token.created', userId, target, details });
    });
  }
}
