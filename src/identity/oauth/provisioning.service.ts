import { Injectable } from '@nestjs/common';
import { AuditLog } from '../../platform/audit/audit-log.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { ValidationError } from '../../platform/errors/errors.pure.js';
import { sha256 } from '../../platform/security/hmac.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { isHttpUrl } from '../../platform/contract/text-forms.js';
import type { GrantType } from './oauth-client.entity.js';
import { CLIENT_ID } from './oauth-clients.service.js';
import type { User } from './user.entity.js';
import { UsersService } from './users.service.js';

/** A program that may ask for tokens, as an operator describes it. */
export interface ClientDescription {
  clientId: string;
  name: string;
  /** Null: a public client, which proves itself by PKCE alone. */
  secret: string | null;
  /** Whom its client_credentials tokens act for. */
  userId: string | null;
  grantTypes: GrantType[];
  redirectUris: string[];
}

const SECRET_MIN = 24;
const LOOPBACK = ['localhost', '127.0.0.1', '[::1]'];

const CREATE = `
  insert into oauth_clients (client_id, name, user_id, grant_types, redirect_uris, secret_hash, created_at)
  values ($1, $2, $3, $4, $5, $6, $7) on conflict do nothing returning client_id`;
const FIND_FOR_UPDATE = `
  select secret_hash as "secretHash" from oauth_clients where client_id = $1 for update`;
/** Returns no row if nothing differs. */
const CHANGE = `
  update oauth_clients c
  set name = $2, user_id = $3, grant_types = $4, redirect_uris = $5, secret_hash = $6
  where client_id = $1
    and (c.name, c.user_id, c.grant_types, c.redirect_uris, c.secret_hash)
      is distinct from ($2::text, $3::uuid, $4::text[], $5::text[], $6::bytea)
  returning client_id`;

const REVOKE = `
  update oauth_clients set revoked_at = $2
  where client_id = $1 and revoked_at is null returning user_id as "userId"`;

/** Sets up users and OAuth clients: the development seed and the command line. Repeating a call changes nothing. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly users: UsersService,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** The user of this address; a password is set on creation only. */
  async ensureUser(email: string, password: string, isOperator = false): Promise<User> {
    return (await this.users.findByEmail(email)) ?? this.users.create({ email, password, isOperator });
  }

  /** Creates the client, or makes the existing one match. */
  async ensureClient(client: ClientDescription): Promise<void> {
    check(client);
    const { clientId, name, secret, userId, grantTypes, redirectUris } = client;
    const secretHash = secret === null ? null : sha256(secret);
    const description = [clientId, name, userId, grantTypes, redirectUris, secretHash];
    const target = { kind: 'oauth_client', id: clientId };
    await this.sql.transaction(async (tx) => {
      const created = await tx.query(CREATE, [...description, this.clock.now()]);
      if (created.length > 0) {
        await this.audit.record(tx, { act: 'oauth_client.created', userId, target, details: { grantTypes } });
        return;
      }
      const [before] = await tx.query<{ secretHash: Buffer | null }>(FIND_FOR_UPDATE, [clientId]);
      const changed = await tx.query(CHANGE, description);
      if (changed.length === 0) return;
      const secretRotated = !sameHash(before?.secretHash ?? null, secretHash);
      const details = { grantTypes, secretRotated };
      await this.audit.record(tx, { act: 'oauth_client.changed', userId, target, details });
    });
  }

  /** Invalidates its tokens and refuses new ones. Returns false if it is unknown or was revoked before. */
  async revokeClient(clientId: string): Promise<boolean> {
    return this.sql.transaction(async (tx) => {
      const [revoked] = await tx.query<{ userId: string | null }>(REVOKE, [clientId, this.clock.now()]);
      if (!revoked) return false;
      const target = { kind: 'oauth_client', id: clientId };
      await this.audit.record(tx, { act: 'oauth_client.revoked', userId: revoked.userId, target });
      return true;
    });
  }
}

function sameHash(a: Buffer | null, b: Buffer | null): boolean {
  return a === null || b === null ? a === b : a.equals(b);
}

function check({ clientId, name, secret, userId, grantTypes, redirectUris }: ClientDescription): void {
  const problems: [boolean, string, string][] = [
    [!CLIENT_ID.test(clientId), 'clientId', 'must be 1 to 128 letters, digits or ._~-'],
    [name.trim() === '' || name.length > 255, 'name', 'must be between 1 and 255 characters'],
    [secret !== null && secret.length < SECRET_MIN, 'secret', `must have at least ${SECRET_MIN} characters`],
    [grantTypes.length === 0, 'grantTypes', 'must have at least 1 item'],
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

/** https, or http to this very machine; without a fragment (RFC 6749 section 3.1.2). */
function isRedirectUri(uri: string): boolean {
  if (!isHttpUrl(uri) || uri.includes('#')) return false;
  const { protocol, hostname } = new URL(uri);
  return protocol === 'https:' || LOOPBACK.includes(hostname);
}
