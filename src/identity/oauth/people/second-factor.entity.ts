import type { AuditedTable } from '../../../platform/integrity/audited-table.js';
import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../../../platform/database/column-transformers.js';

/** A user's secret for time-based codes (RFC 6238). */
@Entity('second_factors')
export class SecondFactorEntity {
  @PrimaryColumn({ name: 'user_id', type: 'uuid' })
  userId: string;

  /** Base32, encrypted. */
  @Column({ name: 'sealed_secret', type: 'text' })
  sealedSecret: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When a first code confirmed it; null: it is not in effect yet. */
  @Column({ name: 'confirmed_at', type: 'timestamptz', nullable: true })
  confirmedAt: Date | null;

  /** The 30 s step of the code that was accepted last: that code and older ones are not accepted again. */
  @Column({ name: 'last_step', type: 'bigint', nullable: true, transformer: integerColumn })
  lastStep: number | null;
}

export const SECOND_FACTORS: AuditedTable<SecondFactorEntity> = {
  entity: SecondFactorEntity,
  key: ['userId'],
  // Every accepted code moves `lastStep`.
  fields: ['sealedSecret', 'confirmedAt'],
  whenSet: 'confirmedAt',
  // `users.has_second_factor` says that one is missing.
  isPurged: true,
};
