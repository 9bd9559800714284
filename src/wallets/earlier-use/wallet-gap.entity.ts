import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../../platform/database/column-transformers.js';

/** The longest run of addresses of a key without a payment, as it was found last. */
@Entity('wallet_gaps')
export class WalletGapEntity {
  @PrimaryColumn({ name: 'wallet_id', type: 'uuid' })
  walletId: string;

  @Column({ type: 'integer' })
  longest: number;

  /** The counter of the wallet when it was looked at. */
  @Column({ name: 'looked_index', type: 'bigint', transformer: integerColumn })
  lookedIndex: number;

  @Column({ name: 'looked_at', type: 'timestamptz' })
  lookedAt: Date;

  /** How far its owner says that their wallet program looks ahead. */
  @Column({ name: 'gap_limit', type: 'integer' })
  gapLimit: number;

  /** Since when the run has been as long as that; null: it is not. */
  @Column({ type: 'timestamptz', nullable: true })
  since: Date | null;
}
