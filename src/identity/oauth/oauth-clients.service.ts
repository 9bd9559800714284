import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { constantTimeEquals, sha256 } from '../../platform/security/hmac.pure.js';
import { type Queryable, Sql } from '../../platform/database/sql.js';
import type { GrantType } from './oauth-client.entity.js';

/** RFC 6749 allows any visible ASCII; ours are plain, and nothing else need reach the database. */
export const CLIENT_ID = /^[A-Za-z0-9._~-]{1,128}$/;

interface ClientRow {
  client_id: string;
  name: string;
  secret_hash: Buffer | null;
  grant_types: GrantType[];
  redirect_uris: string[];
}

/** A client as the operator sees it. */
export interface ListedClient {
  clientId: string;
  name: string;
  /** Of the user that it acts for; null for a program that people sign in to. */
  email: string | null;
  createdAt: Date;
  revokedAt: Date | null;
}

/** The registered OAuth2 clients. */
@Injectable()
export class OAuthClientsService {
  constructor(private readonly sql: Sql) {}

  /** Client metadata (RFC 7591 names); undefined when unknown, revoked, or bound to a disabled user. */
  async findMetadata(clientId: string): Promise<AdapterPayload | undefined> {
    if (!CLIENT_ID.test(clientId)) return undefined;
    const [row] = await this.sql.query<ClientRow>(
      `select c.client_id, c.name, c.secret_hash, c.grant_types, c.redirect_uris
         from oauth_clients c left join users u on u.id = c.user_id
        where c.client_id = $1 and c.revoked_at is null and u.disabled_at is null`,
      [clientId],
    );
    return row && toMetadata(row);
  }

  /** All of them, the newest first. */
  async list(): Promise<ListedClient[]> {
    return this.sql.query<ListedClient>(
      `select c.client_id as "clientId", c.name, u.email, c.created_at as "createdAt", c.revoked_at as "revokedAt"
         from oauth_clients c left join users u on u.id = c.user_id
        order by c.created_at desc, c.client_id`,
    );
  }

  /** The user of a client that acts for one, or null. */
  async findUserId(clientId: string, on: Queryable = this.sql): Promise<string | null> {
    const [row] = await on.query<{ user_id: string | null }>(
      'select user_id from oauth_clients where client_id = $1',
      [clientId],
    );
    return row?.user_id ?? null;
  }
}

function toMetadata(row: ClientRow): AdapterPayload {
  return {
    client_id: row.client_id,
    client_name: row.name,
    // The library expects the secret here; it gets the hash, see secretMatches.
    ...(row.secret_hash && { client_secret: row.secret_hash.toString('hex') }),
    token_endpoint_auth_method: row.secret_hash ? 'client_secret_basic' : 'none',
    grant_types: row.grant_types,
    response_types: row.grant_types.includes('authorization_code') ? ['code'] : [],
    redirect_uris: row.redirect_uris,
  };
}

/** Compares a presented secret with the hash that {@link OAuthClientsService.findMetadata} put in its place. */
export function secretMatches(storedHash: string | undefined, presented: string): boolean {
  return storedHash !== undefined && constantTimeEquals(Buffer.from(storedHash, 'hex'), sha256(presented));
}
