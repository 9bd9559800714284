import { Inject, Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { applicationDeleted } from '../../applications/application-deleted.pure.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import { AuditLog } from '../../platform/audit/audit-log.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { NotFoundError, ValidationError } from '../../platform/errors/errors.pure.js';
import { newId, UUID } from '../../platform/runtime/ids.pure.js';
import { Page, type PageQuery } from '../../platform/http/pagination.js';
import type { Draft } from '../../platform/contract/read-dto.js';
import { Sql } from '../../platform/database/sql.js';
import { CONFIG, type Config } from '../../config.js';
import { hashClientToken, newClientToken, shownPrefix } from './client-token.pure.js';
import { ClientToken } from './client-token.entity.js';
import type { CreateClientTokenDto } from './client-tokens.contract.js';

/** The client tokens of an application (specification/authentication.md#client-tokens); every call names the owner. */
@Injectable()
export class ClientTokensService {
  constructor(
    @InjectRepository(ClientToken) private readonly tokens: Repository<ClientToken>,
    @Inject(CONFIG) private readonly config: Config,
    private readonly applications: ApplicationsService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Newest first, with expired and revoked ones. */
  async list(userId: string, applicationId: string, query: PageQuery): Promise<Page<ClientToken>> {
    await this.applications.getOwned(userId, applicationId);
    const [items, total] = await this.tokens.findAndCount({
      where: { applicationId, userId },
      order: { createdAt: 'DESC', id: 'DESC' },
      take: query.limit,
      skip: query.offset,
    });
    return Page.of(items, total, query);
  }

  async get(userId: string, applicationId: string, tokenId: string): Promise<ClientToken> {
    await this.applications.getOwned(userId, applicationId);
    const token = UUID.test(tokenId)
      ? await this.tokens.findOneBy({ id: tokenId, applicationId, userId })
      : null;
    if (!token) throw new NotFoundError('not_found', 'Client token not found');
    return token;
  }

  /** The only time that the token itself is known. */
  async create(
    userId: string,
    applicationId: string,
    draft: Draft<CreateClientTokenDto>,
  ): Promise<{ clientToken: ClientToken; token: string }> {
    const now = this.clock.now();
    const { given, problems } = draft;
    if (given.expiresAt && given.expiresAt <= now)
      problems.add('expiresAt', 'The expiresAt field must be a date in the future.');
    const { label, scopes, expiresAt = null } = draft.finish();
    const application = await this.applications.getOwned(userId, applicationId);
    if (application.deletedAt) throw applicationDeleted(applicationId);
    const token = newClientToken();
    const clientToken: ClientToken = {
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

  /** Takes effect on the next request; again changes nothing. */
  async revoke(userId: string, applicationId: string, tokenId: string): Promise<void> {
    const { id } = await this.get(userId, applicationId, tokenId);
    await this.sql.transaction(async (tx) => {
      const revoked = await tx.query(
        'update client_tokens set revoked_at = $2 where id = $1 and revoked_at is null returning id',
        [id, this.clock.now()],
      );
      if (revoked.length === 0) return;
      const target = { kind: 'client_token', id };
      await this.audit.record(tx, {
        act: 'client_token.revoked',
        userId,
        target,
        details: { applicationId },
      });
    });
  }

  /** Counts and inserts under a lock on the application, so that no two requests take the last place. */
  private async insert(token: ClientToken): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await tx.query('select from payment_applications where id = $1 for no key update', [
        token.applicationId,
      ]);
      const [row] = await tx.query<{ active: number }>(
        `select count(*)::integer as active from client_tokens
          where application_id = $1 and revoked_at is null and (expires_at is null or expires_at > $2)`,
        [token.applicationId, token.createdAt],
      );
      const max = this.config.maxClientTokensPerApplication;
      // No field is wrong; every client shows the messages of `label`, the first field of the form.
      if ((row?.active ?? 0) >= max)
        throw ValidationError.of('label', `The payment application already has ${max} active client tokens.`);
      await tx.query(
        `insert into client_tokens
           (id, application_id, user_id, label, scopes, token_hash, token_prefix, expires_at, created_at)
         values ($1, $2, $3, $4, $5, $6, $7, $8, $9)`,
        [
          token.id,
          token.applicationId,
          token.userId,
          token.label,
          token.scopes,
          token.tokenHash,
          token.tokenPrefix,
          token.expiresAt,
          token.createdAt,
        ],
      );
      const { id, userId, applicationId, scopes } = token;
      const target = { kind: 'client_token', id };
      const details = { applicationId, scopes };
      await this.audit.record(tx, { act: 'client_token.created', userId, target, details });
    });
  }
}
