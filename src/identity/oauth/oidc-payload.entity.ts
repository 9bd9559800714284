import type { AdapterPayload } from 'oidc-provider';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../../platform/integrity/authenticated-rows.js';

/** A token, grant, session, code or interaction of the authorization server. */
@Entity('oidc_payloads')
export class OidcPayloadEntity {
  /** The library's name of it, e.g. `AccessToken`. */
  @PrimaryColumn({ type: 'text' })
  kind: string;

  /** Of a secret id its SHA-256 (`storedId`). */
  @PrimaryColumn({ type: 'text' })
  id: string;

  @Column({ type: 'jsonb' })
  payload: AdapterPayload;

  /** The sign-in that a token comes from. */
  @Column({ name: 'grant_id', type: 'text', nullable: true })
  grantId: string | null;

  /** A second id, of sessions and interactions. */
  @Column({ type: 'text', nullable: true })
  uid: string | null;

  @Column({ name: 'expires_at', type: 'timestamptz', nullable: true })
  expiresAt: Date | null;

  /** When a code or refresh token was used. */
  @Column({ name: 'consumed_at', type: 'timestamptz', nullable: true })
  consumedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  mac: string | null;
}

const AUTHENTICATED = ['kind', 'id', 'payload', 'grantId', 'uid', 'expiresAt', 'consumedAt'] as const;

export const OIDC_PAYLOADS: AuthenticatedTable<OidcPayloadEntity, (typeof AUTHENTICATED)[number]> = {
  entity: OidcPayloadEntity,
  key: ['kind', 'id'],
  fields: AUTHENTICATED,
  // New ones are many, and those that expire are no loss.
  audited: { changes: 'deletions', isPurged: true },
};
