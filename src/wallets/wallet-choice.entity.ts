import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';

/**
 * Which wallets of an application, or of a user, are active (specification/wallets.md#integrity). It decides where new
 * addresses come from. Rows are never deleted: a missing one is an error, not an owner without wallets.
 */
@Entity('wallet_choices')
export class WalletChoiceEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** Null: the default wallets of the user. */
  @Column({ name: 'application_id', type: 'uuid', nullable: true })
  applicationId: string | null;

  /** Ids of the active wallets. */
  @Column({ type: 'jsonb' })
  wallets: Readonly<Partial<Record<AddressFamily, string>>>;

  /** Keyed MAC over the row (wallet-authentication.pure.ts). */
  @Column({ type: 'text' })
  mac: string;
}
