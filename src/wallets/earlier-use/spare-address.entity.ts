import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressFamily } from '../../chains/chain.pure.js';
import { integerColumn } from '../../platform/database/column-transformers.js';

/** One of the next addresses of a key, which no payment has yet. */
@Entity('spare_addresses')
export class SpareAddressEntity {
  @PrimaryColumn({ name: 'wallet_id', type: 'uuid' })
  walletId: string;

  @PrimaryColumn({ name: 'derivation_index', type: 'bigint', transformer: integerColumn })
  derivationIndex: number;

  @Column({ type: 'text' })
  family: AddressFamily;

  /** As of a deposit address. */
  @Column({ type: 'bytea' })
  key: Buffer;

  /** As people write it. */
  @Column({ type: 'text' })
  address: string;
}
