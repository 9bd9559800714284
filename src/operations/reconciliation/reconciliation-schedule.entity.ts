import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../../platform/database/column-transformers.js';

/** The verification that the gateway makes by itself: at most one row. */
@Entity('reconciliation_schedule')
export class ReconciliationScheduleEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  /** Of the process that makes the current part of it. */
  @Column({ name: 'lease_token', type: 'uuid', nullable: true })
  leaseToken: string | null;

  /** On the database's clock. */
  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  /** When an operator asked for a run over all payments that has not begun. */
  @Column({ name: 'full_requested_at', type: 'timestamptz', nullable: true })
  fullRequestedAt: Date | null;

  /** Of the run in progress. Only shown: what counts is the sealed progress. */
  @Column({ name: 'started_at', type: 'timestamptz', nullable: true })
  startedAt: Date | null;

  /** Payments that the run in progress has compared. */
  @Column({ type: 'bigint', transformer: integerColumn })
  compared: number;
}
