import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn, integerColumn } from '../../platform/database/column-transformers.js';

/** What came to an address that no payment has, because another program has handed it out. */
@Entity('stray_receipts')
export class StrayReceiptEntity {
  @PrimaryColumn({ name: 'wallet_id', type: 'uuid' })
  walletId: string;

  @Column({ name: 'derivation_index', type: 'bigint', transformer: integerColumn })
  derivationIndex: number;

  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  @PrimaryColumn({ name: 'tx_hash', type: 'text' })
  txHash: string;

  /** As of a transfer. */
  @PrimaryColumn({ type: 'text' })
  ordinal: string;

  @Column({ type: 'text' })
  address: string;

  @Column({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  @Column({ type: 'smallint' })
  decimals: number;

  /** In the smallest unit. */
  @Column(amountColumn('amount'))
  amount: bigint;

  @Column({ name: 'seen_at', type: 'timestamptz' })
  seenAt: Date;
}
