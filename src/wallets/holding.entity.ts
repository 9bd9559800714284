import { Column, Entity, PrimaryColumn } from 'typeorm';
import { bigintColumn, integerColumn } from '../platform/database/column-transformers.js';

/**
 * What the deposit addresses of an application have received of one asset. Only triggers of payment_transfers write it
 * (migrations/0001-baseline/transfers.sql).
 */
@Entity('application_holdings')
export class HoldingEntity {
  @PrimaryColumn({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  chain: string;

  /** 'native' or the token contract in lower case. */
  @PrimaryColumn({ type: 'text' })
  asset: string;

  @PrimaryColumn({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  /** Of the asset on its chain: USDT has 6 on most, and 18 on BNB Smart Chain. */
  @PrimaryColumn({ name: 'asset_decimals', type: 'smallint' })
  assetDecimals: number;

  /** Smallest unit of the asset. A sum, so it may exceed the limit of a single amount. */
  @Column({ type: 'numeric', transformer: bigintColumn })
  confirmed: bigint;

  /** Smallest unit of the asset, as `confirmed`. */
  @Column({ type: 'numeric', transformer: bigintColumn })
  pending: bigint;

  /** Number of deposit addresses with a confirmed transfer of the asset. */
  @Column({ type: 'bigint', transformer: integerColumn })
  addresses: number;

  /** When the newest transfer was first seen, including one that a reorganization removed. */
  @Column({ name: 'last_seen_at', type: 'timestamptz' })
  lastSeenAt: Date;
}
