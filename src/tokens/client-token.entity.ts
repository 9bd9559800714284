import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';

/** A token for server-to-server calls, bound to one application. Only its revocation and last use change. */
@Entity('client_tokens')
export class ClientTokenEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  /** Owner of the application. */
  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  label: string;

  @Column({ type: 'text', array: true })
  scopes: string[];

  /** SHA-256. */
  @Column({ name: 'token_hash', type: 'bytea', select: false })
  tokenHash: Buffer;

  @Column({ name: 'token_prefix', type: 'text' })
  tokenPrefix: string;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  /** Written at most once a minute. */
  @Column({ name: 'last_used_at', type: 'timestamptz', nullable: true })
  lastUsedAt: Date | null;

  @Column({ name: 'revoked_at', type: 'timestamptz', nullable: true })
  revokedAt: Date | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

const AUTHENTICATED = [
  'id',
  'applicationId',
  'userId',
  'scopes',
  'tokenHash',
  'expiresAt',
  'revokedAt',
] as const;

export const CLIENT_TOKENS: AuthenticatedTable<ClientTokenEntity, (typeof AUTHENTICATED)[number]> = {
  entity: ClientTokenEntity,
  key: ['id'],
  fields: AUTHENTICATED,
  audited: { changes: 'all' },
};
