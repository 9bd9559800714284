import { Column, Entity, PrimaryColumn } from 'typeorm';
import { integerColumn } from '../../platform/database/column-transformers.js';

/** What a chain said about the use of a key by others. */
@Entity('wallet_searches')
export class WalletSearchEntity {
  @PrimaryColumn({ name: 'wallet_id', type: 'uuid' })
  walletId: string;

  /** Slug. */
  @PrimaryColumn({ type: 'text' })
  chain: string;

  /** With {@link skipped}, where the counter went on last. */
  @Column({ name: 'first_index', type: 'bigint', transformer: integerColumn })
  firstIndex: number;

  /** By how many addresses the counter was moved. */
  @Column({ type: 'bigint', transformer: integerColumn })
  skipped: number;

  /** False: the source of this chain has no answer. */
  @Column({ name: 'is_visible', type: 'boolean' })
  isVisible: boolean;

  @Column({ name: 'searched_at', type: 'timestamptz' })
  searchedAt: Date;
}
