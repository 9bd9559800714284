import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../platform/database/column-transformers.js';

/** The watcher's position on one chain. */
@Entity('chain_cursors')
export class ChainCursorEntity {
  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  /** The newest applied block. */
  @Column({ type: 'bigint', transformer: integerColumn })
  height: number;

  @Column({ type: 'text' })
  hash: string;

  /** Highest lease epoch that wrote here: fences watchers that lost their lease. */
  @Column({ type: 'bigint', transformer: integerColumn })
  epoch: number;

  @Column({ name: 'updated_at', type: 'timestamptz' })
  updatedAt: Date;

  /** Set when a fork deeper than the kept blocks stopped the watcher. */
  @Column({ name: 'halted_at', type: 'timestamptz', nullable: true })
  haltedAt: Date | null;

  @Column({ name: 'halt_reason', type: 'text', nullable: true })
  haltReason: string | null;

  /** Everything that the node had at this time is recorded: blocks up to the tip, and the mempool. */
  @Column({ name: 'caught_up_at', type: 'timestamptz', nullable: true })
  caughtUpAt: Date | null;
}
