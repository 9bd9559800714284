import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn } from '../../platform/database/column-transformers.js';

/** Where the feed of events ends: the only row of its table, locked while events get their positions. */
@Entity('event_feed')
export class EventFeedEntity {
  /** Always true. */
  @PrimaryColumn({ name: 'is_only', type: 'boolean' })
  isOnly: boolean;

  /** Position of the newest event. */
  @Column({ name: 'last_position', type: 'bigint', transformer: bigintColumn })
  lastPosition: bigint;

  /** The database in which the feed last moved; one that differs, or null, makes it skip the lost positions. */
  @Column({ type: 'text', nullable: true })
  lineage: string | null;
}
