import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../../platform/database/column-transformers.js';

/** How the last reconciliation ended: at most one row. */
@Entity('reconciliation_state')
export class ReconciliationStateEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'only_one', type: 'boolean' })
  onlyOne: boolean;

  @Column({ name: 'finished_at', type: 'timestamptz' })
  finishedAt: Date;

  @Column({ type: 'bigint', transformer: integerColumn })
  differences: number;

  /** Number of things that could not be compared. */
  @Column({ name: 'left_out', type: 'bigint', transformer: integerColumn })
  leftOut: number;
}
