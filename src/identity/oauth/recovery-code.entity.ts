import { Column, Entity, PrimaryColumn } from 'typeorm';

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
}
