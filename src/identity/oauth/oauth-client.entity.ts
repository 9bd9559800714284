import type { OAuthScope } from '../../platform/kernel/oauth-scopes.pure.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../../platform/integrity/authenticated-rows.js';

/** How a client may obtain tokens (specification/authentication.md#oauth2). */
export const GRANT_TYPES = ['authorization_code', 'refresh_token', 'client_credentials'] as const;
export type GrantType = (typeof GRANT_TYPES)[number];

/** A program that may request tokens. */
@Entity('oauth_clients')
export class OAuthClientEntity {
  @PrimaryColumn({ name: 'client_id', type: 'text' })
  clientId: string;

  @Column({ type: 'text' })
  name: string;

  /** SHA-256; null for a public client, which proves itself by PKCE alone. */
  @Column({ name: 'secret_hash', type: 'bytea', nullable: true })
  secretHash: Buffer | null;

  /** The user that its client_credentials tokens act for. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  @Column({ name: 'grant_types', type: 'text', array: true })
  grantTypes: GrantType[];

  @Column({ name: 'redirect_uris', type: 'text', array: true })
  redirectUris: string[];

  /** Granted by an operator; null: the scopes that every client of its grant types has (`defaultScopes`). */
  @Column({ type: 'text', array: true, nullable: true })
  scopes: OAuthScope[] | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  mac: string | null;
}

const AUTHENTICATED = [
  'clientId',
  'name',
  'secretHash',
  'userId',
  'grantTypes',
  'redirectUris',
  'scopes',
  'revokedAt',
] as const;

export const OAUTH_CLIENTS: AuthenticatedTable<OAuthClientEntity, (typeof AUTHENTICATED)[number]> = {
  entity: OAuthClientEntity,
  key: ['clientId'],
  fields: AUTHENTICATED,
  audited: { changes: 'all' },
};
