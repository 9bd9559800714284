import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import type { ChangedBy } from './wallet-change.pure.js';

/**
 * A change of an owner's wallet: pending, applied or cancelled (specification/wallets.md#changes). Rows are kept, as
 * the notice of the change.
 */
@Entity('wallet_changes')
export class WalletChangeEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Null: the default wallet of its user. */
  @Column({ name: 'application_id', type: 'uuid', nullable: true })
  applicationId: string | null;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  family: AddressFamily;

  /** Only while a new key waits: the key, encrypted for the row and its owner (wallet-authentication.pure.ts). */
  @Column({ name: 'sealed_key', type: 'text', nullable: true })
  sealedKey: string | null;

  /** Null: the wallet is removed. */
  @Column({ name: 'masked_key', type: 'text', nullable: true })
  maskedKey: string | null;

  /** BIP32 fingerprint of the new key, for display; null: the wallet is removed. */
  @Column({ type: 'text', nullable: true })
  fingerprint: string | null;

  /** Of the key that it replaces; null: there was none. */
  @Column({ name: 'previous_fingerprint', type: 'text', nullable: true })
  previousFingerprint: string | null;

  @Column({ name: 'changed_by', type: 'text' })
  changedBy: ChangedBy;

  @Column({ name: 'requested_at', type: 'timestamptz' })
  requestedAt: Date;

  /** Not before this time. */
  @Column({ name: 'effective_at', type: 'timestamptz' })
  effectiveAt: Date;

  @Column({ name: 'applied_at', type: 'timestamptz', nullable: true })
  appliedAt: Date | null;

  @Column({ name: 'cancelled_at', type: 'timestamptz', nullable: true })
  cancelledAt: Date | null;

  /** Keyed MAC over the row but the encrypted key (wallet-authentication.pure.ts). */
  @Column({ type: 'text' })
  mac: string;
}
