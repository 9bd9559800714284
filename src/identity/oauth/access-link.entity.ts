import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../../platform/integrity/authenticated-rows.js';
import type { InvitedRole } from '../../platform/kernel/account-roles.pure.js';

/** `setup`: the first user. `password`: a new password. `invitation`: a member of an account. */
export type AccessLinkKind = 'setup' | 'password' | 'invitation';

/** A link that opens an account once (specification/authentication.md#one-time-links). */
@Entity('access_links')
export class AccessLinkEntity {
  @PrimaryColumn('uuid')
  id: string;

  @Column({ type: 'text' })
  kind: AccessLinkKind;

  /** HMAC-SHA256 under APP_KEYS. */
  @Column({ name: 'token_hash', type: 'bytea' })
  tokenHash: Buffer;

  /** The address that an invitation is for; lower case. */
  @Column({ type: 'text', nullable: true })
  email: string | null;

  /** Whose password it sets. */
  @Column({ name: 'user_id', type: 'uuid', nullable: true })
  userId: string | null;

  /** The account that an invitation is to: the id of its owner. */
  @Column({ name: 'account_id', type: 'uuid', nullable: true })
  accountId: string | null;

  @Column({ type: 'text', nullable: true })
  role: InvitedRole | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  @Column({ type: 'text' })
  mac: string;
}

const AUTHENTICATED = [
  'id',
  'kind',
  'tokenHash',
  'email',
  'userId',
  'accountId',
  'role',
  'expiresAt',
  'usedAt',
] as const;

export const ACCESS_LINKS: AuthenticatedTable<AccessLinkEntity, (typeof AUTHENTICATED)[number]> = {
  entity: AccessLinkEntity,
  key: ['id'],
  fields: AUTHENTICATED,
  audited: { changes: 'all', isPurged: true },
};
