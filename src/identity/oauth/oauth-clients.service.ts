import { Injectable } from '@nestjs/common';
import type { AdapterPayload } from 'oidc-provider';
import { constantTimeEquals, sha256 } from '../../platform/kernel/hmac.pure.js';
import { allowedScopes, scopesWithoutRequest } from './client-scopes.pure.js';
import type { OAuthClientEntity } from './oauth-client.entity.js';
import { type ListedClient, OAuthClientRepository } from './oauth-client.repository.js';

/** RFC 6749 allows any visible ASCII. Ids of this gateway have only these characters; others are not looked up. */
export const CLIENT_ID = /^[A-Za-z0-9._~-]{1,128}$/;

/** The registered OAuth2 clients. */
@Injectable()
export class OAuthClientsService {
  constructor(private readonly clients: OAuthClientRepository) {}

  /** Client metadata (RFC 7591 names); undefined when unknown, revoked, or bound to a disabled user. */
  async findMetadata(clientId: string): Promise<AdapterPayload | undefined> {
    if (!CLIENT_ID.test(clientId)) return undefined;
    const client = await this.clients.findUsable(clientId);
    return client ? toMetadata(client) : undefined;
  }

  /** The scopes of a server's token that was requested without any. */
  async findDefaultScopes(clientId: string): Promise<readonly string[]> {
    const client = CLIENT_ID.test(clientId) ? await this.clients.findUsable(clientId) : null;
    return scopesWithoutRequest(client?.scopes ?? null);
  }

  /** All of them, the newest first. */
  list(): Promise<ListedClient[]> {
    return this.clients.list();
  }

  /** The user of a client that acts for one, or null. */
  findUserId(clientId: string): Promise<string | null> {
    return this.clients.findUserId(clientId);
  }
}

function toMetadata({
  clientId,
  name,
  secretHash,
  grantTypes,
  redirectUris,
  scopes,
}: OAuthClientEntity): AdapterPayload {
  return {
    client_id: clientId,
    client_name: name,
    // The library expects the secret here and gets the hash (secretMatches).
    ...(secretHash && { client_secret: secretHash.toString('hex') }),
    token_endpoint_auth_method: secretHash ? 'client_secret_basic' : 'none',
    grant_types: grantTypes,
    response_types: grantTypes.includes('authorization_code') ? ['code'] : [],
    redirect_uris: redirectUris,
    scope: allowedScopes(grantTypes, scopes).join(' '),
  };
}

/** Compares a presented secret with the hash that {@link OAuthClientsService.findMetadata} put in its place. */
export function secretMatches(storedHash: string | undefined, presented: string): boolean {
  return storedHash !== undefined && constantTimeEquals(Buffer.from(storedHash, 'hex'), sha256(presented));
}
