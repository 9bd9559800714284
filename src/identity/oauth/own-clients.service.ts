import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import type { Draft } from '../../platform/web/contract/read-contract.js';
import { Sql } from '../../platform/database/sql.js';
import { NotFoundError, ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';
import { includesScope, type OAuthScope } from '../../platform/kernel/oauth-scopes.pure.js';
import { scopesWithoutRequest } from './client-scopes.pure.js';
import type { OAuthClientEntity } from './oauth-client.entity.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { CLIENT_ID } from './oauth-clients.service.js';
import { ProvisioningService } from './provisioning.service.js';
import { requirePerson } from './require-person.pure.js';
import { UserRepository } from './people/user.repository.js';

const MAX_CLIENTS = 20;

/** A client as its user sees it. */
export interface OwnClient extends Pick<OAuthClientEntity, 'clientId' | 'name' | 'createdAt'> {
  scopes: readonly OAuthScope[];
}

/** The clients of a user's own servers (specification/authentication.md#own-clients). */
@Injectable()
export class OwnClientsService {
  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly clients: OAuthClientRepository,
    private readonly users: UserRepository,
    private readonly provisioning: ProvisioningService,
    private readonly audit: AuditLog,
  ) {}

  /** The newest first. */
  async list(userId: string): Promise<OwnClient[]> {
    return (await this.clients.listOfUser(userId)).map(shown);
  }

  /** @throws ValidationError, RecentSignInError */
  async create(
    principal: Principal,
    draft: Draft<{ name: string; scopes: OAuthScope[] }>,
  ): Promise<{ client: OwnClient; secret: string }> {
    requirePerson(principal);
    const { userId } = principal;
    // A client must not be a way to rights that its maker does not have.
    const beyond = draft.given.scopes?.find((scope) => !includesScope(principal.scopes, scope));
    if (beyond !== undefined)
      draft.problems.add(
        'scopes',
        `The scopes field must not contain ${beyond}, which your own token lacks.`,
      );
    const { name, scopes } = draft.finish();
    const secret = newSecret();
    const clientId = randomBytes(16).toString('hex');
    await this.sql.transaction(async () => {
      // One at a time, so that the limit holds.
      if (!(await this.users.lock(userId))) throw new NotFoundError('user_not_found', 'User not found');
      if ((await this.clients.listOfUser(userId)).length >= MAX_CLIENTS)
        throw ValidationError.of('name', `There are ${MAX_CLIENTS} OAuth clients already. Delete one first.`);
      await this.provisioning.ensureClient({
        clientId,
        name,
        secret,
        userId,
        grantTypes: ['client_credentials'],
        redirectUris: [],
        scopes,
      });
    });
    return { client: { clientId, name, scopes, createdAt: this.clock.now() }, secret };
  }

  /** @throws NotFoundError, RecentSignInError */
  async rotateSecret(principal: Principal, clientId: string): Promise<{ client: OwnClient; secret: string }> {
    requirePerson(principal);
    const secret = newSecret();
    const client = await this.sql.transaction(async () => {
      const before = await this.lockOwn(principal.userId, clientId);
      const beyond = shown(before).scopes.find((scope) => !includesScope(principal.scopes, scope));
      if (beyond !== undefined)
        throw ValidationError.of(
          'clientId',
          `The client has the scope ${beyond}, which your own token lacks.`,
        );
      const { name, userId, grantTypes, redirectUris, scopes } = before;
      const settings = { clientId, name, userId, grantTypes, redirectUris, scopes };
      await this.clients.update(before, { ...settings, secretHash: sha256(secret) });
      const target = { kind: 'oauth_client', id: clientId };
      const details = { secretRotated: true };
      await this.audit.record({ act: 'oauth_client.changed', userId: principal.userId, target, details });
      return before;
    });
    return { client: shown(client), secret };
  }

  /** @throws NotFoundError */
  async delete(userId: string, clientId: string): Promise<void> {
    await this.sql.transaction(async () => {
      await this.lockOwn(userId, clientId);
      await this.provisioning.revokeClient(clientId);
    });
  }

  private async lockOwn(userId: string, clientId: string): Promise<OAuthClientEntity> {
    const client = CLIENT_ID.test(clientId) ? await this.clients.lock(clientId) : null;
    if (client?.userId !== userId || client.revokedAt !== null)
      throw new NotFoundError('not_found', 'OAuth client not found');
    return client;
  }
}

function shown({ clientId, name, scopes, createdAt }: OAuthClientEntity): OwnClient {
  return { clientId, name, createdAt, scopes: scopesWithoutRequest(scopes) };
}

/** 256 random bits. */
function newSecret(): string {
  return randomBytes(32).toString('base64url');
}
