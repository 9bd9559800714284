import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../../../platform/integrity/authenticated-rows.js';

/** A code that replaces a lost authenticator app, once. Deleted with the second factor of its user. */
@Entity('recovery_codes')
export class RecoveryCodeEntity {
  @PrimaryColumn({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** 1 to 10. */
  @PrimaryColumn({ type: 'smallint' })
  slot: number;

  /** SHA-256 (recovery-codes.pure.ts). */
  @Column({ name: 'code_hash', type: 'bytea' })
  codeHash: Buffer;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'used_at', type: 'timestamptz', nullable: true })
  usedAt: Date | null;

  @Column({ type: 'text', nullable: true })
  mac: string | null;
}

const AUTHENTICATED = ['userId', 'slot', 'codeHash', 'usedAt'] as const;

export const RECOVERY_CODES_TABLE: AuthenticatedTable<RecoveryCodeEntity, (typeof AUTHENTICATED)[number]> = {
  entity: RecoveryCodeEntity,
  key: ['userId', 'slot'],
  fields: AUTHENTICATED,
  // Deleted with the second factor by a foreign key.
  audited: { changes: 'all', isPurged: true },
};
