import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../platform/database/column-transformers.js';

/** The process that watches one chain. */
@Entity('chain_leases')
export class ChainLeaseEntity {
  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  @Column({ type: 'text' })
  holder: string;

  /** Grows with every new holder. */
  @Column({ type: 'bigint', transformer: integerColumn })
  epoch: number;

  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;
}
