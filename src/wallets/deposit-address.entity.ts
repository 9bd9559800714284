import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { integerColumn } from '../platform/database/column-transformers.js';

/**
 * The address of one payment on every chain of a family; never reused, watched permanently
 * (specification/wallets.md#deposit-addresses). Rows are neither changed nor deleted.
 */
@Entity('deposit_addresses')
export class DepositAddressEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  family: AddressFamily;

  /** What blocks are matched on: the 20 address bytes on EVM chains and Tron, the output script on UTXO chains. */
  @Column({ type: 'bytea' })
  key: Buffer;

  /** As it is displayed. */
  @Column({ type: 'text' })
  address: string;

  @Column({ name: 'wallet_id', type: 'uuid' })
  walletId: string;

  @Column({ name: 'derivation_index', type: 'bigint', transformer: integerColumn })
  derivationIndex: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Keyed MAC over all of the above but the time (wallet-authentication.pure.ts). Only the rotation of keys changes it. */
  @Column({ type: 'text' })
  mac: string;
}
