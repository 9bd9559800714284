import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn } from '../database/column-transformers.js';

/** Where the audit log ends, under a MAC: a single row, written with every entry. */
@Entity('audit_anchor')
export class AuditAnchorEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  @Column({ type: 'bigint', transformer: bigintColumn })
  seq: bigint;

  @Column({ type: 'bytea' })
  hash: Buffer;

  /** Up to here entries need no MAC: the release before wrote them. */
  @Column({ name: 'adopted_seq', type: 'bigint', transformer: bigintColumn })
  adoptedSeq: bigint;

  /** Until then instances of the release before may append without MACs; null: never. */
  @Column({ name: 'unkeyed_until', type: 'timestamptz', nullable: true })
  unkeyedUntil: Date | null;

  /** Over the columns above (audit-macs.service.ts). */
  @Column({ type: 'text' })
  mac: string;
}
