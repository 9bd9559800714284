import { Injectable } from '@nestjs/common';
import { LOOPBACK_HOSTS } from '../../platform/kernel/dns/ip-address.pure.js';
import { AuditLog } from '../../platform/integrity/audit-log.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import type { OAuthScope } from '../../platform/kernel/oauth-scopes.pure.js';
import { sha256 } from '../../platform/kernel/hmac.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { isHttpUrl } from '../../platform/web/contract/text-forms.pure.js';
import type { OAuthClientEntity } from './oauth-client.entity.js';
import { OAuthClientRepository } from './oauth-client.repository.js';
import { CLIENT_ID } from './oauth-clients.service.js';
import { type CreatedUser, UsersService } from './people/users.service.js';

/** A program that may request tokens, as an operator describes it. */
export interface ClientDescription extends Pick<
  OAuthClientEntity,
  'clientId' | 'name' | 'userId' | 'grantTypes' | 'redirectUris'
> {
  /** Exactly these; without: the scopes that every client of its grant types has. */
  scopes?: OAuthScope[];

  /** Null: a public client, which proves itself by PKCE alone. */
  secret: string | null;
}

const SECRET_MIN = 24;

/** Sets up users and OAuth clients: the development seed and the command line. Repeating a call changes nothing. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly users: UsersService,
    private readonly clients: OAuthClientRepository,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Returns the user of this address, or creates one. The password is set on creation only. */
  async ensureUser(email: string, password: string, isOperator = false): Promise<CreatedUser> {
    return (await this.users.findByEmail(email)) ?? this.users.create({ email, password, isOperator });
  }

  /** Creates the client, or makes the existing one match. */
  async ensureClient(client: ClientDescription): Promise<void> {
    check(client);
    const { clientId, name, secret, userId, grantTypes, redirectUris, scopes = null } = client;
    const secretHash = secret === null ? null : sha256(secret);
    const settings = { clientId, name, userId, grantTypes, redirectUris, scopes, secretHash };
    const target = { kind: 'oauth_client', id: clientId };
    await this.sql.transaction(async () => {
      if (await this.clients.insert({ ...settings, createdAt: this.clock.now() })) {
        await this.audit.record({
          act: 'oauth_client.created',
          userId,
          target,
          details: { grantTypes, scopes },
        });
        return;
      }
      const before = await this.clients.lock(clientId);
      if (!before)
        throw ValidationError.of('clientId', 'The clientId is of a client that was tampered with.');
      if (!(await this.clients.update(before, settings))) return;
      const secretRotated = !sameHash(before.secretHash, secretHash);
      const details = { grantTypes, scopes, secretRotated };
      await this.audit.record({ act: 'oauth_client.changed', userId, target, details });
    });
  }

  /** Gives a client another secret; the old one is refused at once. False: it is unknown, revoked, or has no secret. */
  async changeSecret(clientId: string, secret: string): Promise<boolean> {
    return this.sql.transaction(async () => {
      const before = CLIENT_ID.test(clientId) ? await this.clients.lock(clientId) : null;
      if (!before || before.revokedAt !== null || before.secretHash === null) return false;
      const { name, userId, grantTypes, redirectUris, scopes } = before;
      const settings = { clientId, name, userId, grantTypes, redirectUris, scopes };
      await this.clients.update(before, { ...settings, secretHash: sha256(secret) });
      const target = { kind: 'oauth_client', id: clientId };
      const details = { secretRotated: true };
      await this.audit.record({ act: 'oauth_client.changed', userId, target, details });
      return true;
    });
  }

  /** Invalidates its tokens and refuses new ones. Returns false if it is unknown or was revoked before. */
  async revokeClient(clientId: string): Promise<boolean> {
    return this.sql.transaction(async () => {
      const revoked = await this.clients.revoke(clientId, this.clock.now());
      if (!revoked) return false;
      const target = { kind: 'oauth_client', id: clientId };
      await this.audit.record({ act: 'oauth_client.revoked', userId: revoked.userId, target });
      return true;
    });
  }
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

function check({
  clientId,
  name,
  secret,
  userId,
  grantTypes,
  redirectUris,
  scopes,
}: ClientDescription): void {
  const problems: [boolean | undefined, string, string][] = [
    [!CLIENT_ID.test(clientId), 'clientId', 'must be 1 to 128 letters, digits or ._~-'],
    [name.trim() === '' || Array.from(name).length > 255, 'name', 'must be between 1 and 255 characters'],
    [secret !== null && secret.length < SECRET_MIN, 'secret', `must have at least ${SECRET_MIN} characters`],
    [grantTypes.length === 0, 'grantTypes', 'must have at least 1 item'],
    [scopes?.length === 0, 'scopes', 'must have at least 1 item'],
  ];
  if (grantTypes.includes('client_credentials')) {
    problems.push([secret === null, 'secret', 'is needed for client_credentials']);
    problems.push([userId === null, 'userId', 'is needed for client_credentials']);
  }
  const usesRedirect = grantTypes.includes('authorization_code');
  problems.push([
    usesRedirect && redirectUris.length === 0,
    'redirectUris',
    'is needed for authorization_code',
  ]);
  problems.push([!redirectUris.every(isRedirectUri), 'redirectUris', 'must be https (or http on loopback)']);
  for (const [isWrong, field, rest] of problems)
    if (isWrong) throw ValidationError.of(field, `The ${field} field ${rest}.`);
}

/** https, or http to a loopback address; without a fragment (RFC 6749 section 3.1.2). */
function isRedirectUri(uri: string): boolean {
  if (!isHttpUrl(uri) || uri.includes('#')) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' || LOOPBACK_HOSTS.includes(hostname);
}
