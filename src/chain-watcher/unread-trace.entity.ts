import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../platform/database/column-transformers.js';
import { Waits } from '../platform/integrity/waiting-columns.js';

/** An applied block of which the payments by contracts are not all known (specification/chains.md#unread-traces). */
@Entity('unread_traces')
export class UnreadTraceEntity {
  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  @PrimaryColumn({ type: 'bigint', transformer: integerColumn })
  height: number;

  @Column({ name: 'block_hash', type: 'text' })
  blockHash: string;

  /** Null: all transactions of the block. */
  @Column({ name: 'tx_hashes', type: 'text', array: true, nullable: true })
  txHashes: string[] | null;

  @Column({ type: 'text' })
  reason: string;

  @Column({ name: 'found_at', type: 'timestamptz' })
  foundAt: Date;

  @Column({ type: 'integer' })
  attempts: number;

  @Waits(() => 3_600)
  @Column({ name: 'next_attempt_at', type: 'timestamptz' })
  nextAttemptAt: Date;
}
