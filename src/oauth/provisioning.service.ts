import { Injectable } from '@nestjs/common';
import { InjectRepository } from '@nestjs/typeorm';
import type { Repository } from 'typeorm';
import { Clock } from '../common/clock.js';
import { ValidationError } from '../common/errors.js';
import { sha256 } from '../common/hmac.js';
import { isHttpUrl } from '../common/validation.js';
import { type GrantType, OAuthClient } from './oauth-client.entity.js';
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

/** Sets up users and OAuth clients: the development seed and the command line. Repeating a call changes nothing. */
@Injectable()
export class ProvisioningService {
  constructor(
    private readonly users: UsersService,
    @InjectRepository(OAuthClient) private readonly clients: Repository<OAuthClient>,
    private readonly clock: Clock,
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
    await this.clients
      .createQueryBuilder()
      .insert()
      .values({ clientId, name, userId, grantTypes, redirectUris, secretHash, createdAt: this.clock.now() })
      .orUpdate(['name', 'user_id', 'grant_types', 'redirect_uris', 'secret_hash'], ['client_id'])
      .execute();
  }
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
