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

  /** Up to here entries need no MAC: the log was changed outside of the gateway, and begins anew behind it; 0: never. */
  @Column({ name: 'resumed_seq', type: 'bigint', transformer: bigintColumn })
  resumedSeq: bigint;

  /** Over the columns above (audit-macs.service.ts). */
  @Column({ type: 'text' })
  mac: string;
}
