import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { RequestFailureKind } from '../../platform/kernel/bounded-request.js';

/** What was asked last about the newest version: at most one row, for all processes. */
@Entity('newest_versions')
export class NewestVersionEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  /** SHA-256 of the address. */
  @Column({ type: 'bytea' })
  source: Buffer;

  @Column({ name: 'asked_at', type: 'timestamptz' })
  askedAt: Date;

  /** When an answer last named a version. */
  @Column({ name: 'answered_at', type: 'timestamptz', nullable: true })
  answeredAt: Date | null;

  @Column({ type: 'text', nullable: true })
  version: string | null;

  /** When an answer first named this version. */
  @Column({ name: 'first_seen_at', type: 'timestamptz', nullable: true })
  firstSeenAt: Date | null;

  /** Why the last question brought nothing. */
  @Column({ type: 'text', nullable: true })
  unknown: RequestFailureKind | null;

  /** The same in words. */
  @Column({ type: 'text', nullable: true })
  failure: string | null;
}
