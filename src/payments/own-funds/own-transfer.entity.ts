import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn, integerColumn } from '../../platform/database/column-transformers.js';

/**
 * Coin that the account for fees of a key has sent to an address of the same key, in an applied block. It is of no customer
 * and no payment is credited with it (docs/decisions/0900-sign-away-from-the-gateway.md).
 */
@Entity('own_transfers')
export class OwnTransferEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** Of the address. */
  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'deposit_address_id', type: 'uuid' })
  depositAddressId: string;

  /** Slug. */
  @Column({ type: 'text' })
  chain: string;

  @Column({ name: 'tx_hash', type: 'text' })
  txHash: string;

  /** As of a transfer. */
  @Column({ type: 'text' })
  ordinal: string;

  /** The key of the account that sent it. */
  @Column({ type: 'bytea' })
  sender: Buffer;

  @Column({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  @Column({ type: 'smallint' })
  decimals: number;

  /** In the smallest unit. */
  @Column(amountColumn('amount'))
  amount: bigint;

  @Column({ name: 'block_height', type: 'bigint', transformer: integerColumn })
  blockHeight: number;

  @Column({ name: 'block_hash', type: 'text' })
  blockHash: string;

  @Column({ name: 'block_time', type: 'timestamptz' })
  blockTime: Date;

  /** Over {@link OWN_TRANSFER}. */
  @Column({ type: 'text' })
  mac: string;
}

/** All but the time of the block, which decides nothing. */
export const OWN_TRANSFER = {
  purpose: 'own_transfers',
  fieldsOf: (row: Omit<OwnTransferEntity, 'blockTime' | 'mac'>) => [
    row.id,
    row.userId,
    row.paymentId,
    row.depositAddressId,
    row.chain,
    row.txHash,
    row.ordinal,
    row.sender.toString('hex'),
    row.currencyCode,
    String(row.decimals),
    String(row.amount),
    String(row.blockHeight),
    row.blockHash,
  ],
};
