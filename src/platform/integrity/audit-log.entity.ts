import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn } from '../database/column-transformers.js';
import type { AuditAction, AuditActorKind, AuditDetail } from '../kernel/audit-actions.pure.js';

/** A security-relevant action. Entries are never changed or deleted. */
@Entity('audit_log')
export class AuditLogEntity {
  /** Number of the entry, from 1 without gaps. The trigger `audit_log_chain` sets it, and both hashes. */
  @PrimaryColumn({ type: 'bigint', transformer: bigintColumn })
  seq: bigint;

  /** To the millisecond. */
  @Column({ type: 'timestamptz' })
  at: Date;

  @Column({ name: 'actor_kind', type: 'text' })
  actorKind: AuditActorKind;

  @Column({ name: 'actor_id', type: 'text', nullable: true })
  actorId: string | null;

  @Column({ type: 'text' })
  act: AuditAction;

  /** The user whose account it concerns. */
  @Column({ name: 'user_id', type: 'text', nullable: true })
  userId: string | null;

  @Column({ name: 'target_kind', type: 'text', nullable: true })
  targetKind: string | null;

  @Column({ name: 'target_id', type: 'text', nullable: true })
  targetId: string | null;

  /** Not selected: the hash covers its text as it is stored, which parsing would lose. */
  @Column({ type: 'json', select: false })
  details: Readonly<Record<string, AuditDetail>>;

  /** The network of the client, of 24 or 48 bits. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  @Column({ name: 'request_id', type: 'text', nullable: true })
  requestId: string | null;

  /** Hash of the entry before. */
  @Column({ name: 'previous_hash', type: 'bytea' })
  previousHash: Buffer;

  /** SHA-256 of the previous hash and the other columns (audit-chain.pure.ts). */
  @Column({ type: 'bytea' })
  hash: Buffer;

  /** Over number and hash, under APP_KEYS; null: not written by the gateway (audit-macs.service.ts). */
  @Column({ type: 'text', nullable: true })
  mac: string | null;
}
