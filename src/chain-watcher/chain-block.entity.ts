import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../platform/database/column-transformers.js';

/** An applied block, kept to find the common ancestor after a fork. */
@Entity('chain_blocks')
export class ChainBlockEntity {
  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  @PrimaryColumn({ type: 'bigint', transformer: integerColumn })
  height: number;

  @Column({ type: 'text' })
  hash: string;

  @Column({ name: 'parent_hash', type: 'text' })
  parentHash: string;

  @Column({ name: 'block_time', type: 'timestamptz' })
  time: Date;
}
