import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn } from '../database/column-transformers.js';

/** The newest entry of the audit log: a single row, which the trigger `audit_log_chain` locks and updates. */
@Entity('audit_head')
export class AuditHeadEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  @Column({ type: 'bigint', transformer: bigintColumn })
  seq: bigint;

  @Column({ type: 'bytea' })
  hash: Buffer;
}
