import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../../platform/database/column-transformers.js';

/** How large the database was at the end of a day. */
@Entity('database_sizes')
export class DatabaseSizeEntity {
  /** UTC, 2026-01-15. */
  @PrimaryColumn({ type: 'date' })
  day: string;

  @Column({ type: 'bigint', transformer: integerColumn })
  bytes: number;

  @Column({ name: 'measured_at', type: 'timestamptz' })
  measuredAt: Date;
}
