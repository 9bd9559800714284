import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';
import { integerColumn } from '../platform/database/column-transformers.js';

/**
 * An extended public key, or a treasury (wallet-source.pure.ts), with its address counter. Rows are retired, never deleted: addresses that were handed out stay
 * watched.
 */
@Entity('wallets')
export class WalletEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Null: the default wallet of its user, or of the operator where `userId` is null, too. */
  @Column({ name: 'application_id', type: 'uuid', nullable: true })
  applicationId: string | null;

  @Column({ name: 'user_id', type: 'text', nullable: true })
  userId: string | null;

  @Column({ type: 'text' })
  family: AddressFamily;

  @Column({ name: 'script_type', type: 'text', nullable: true })
  scriptType: string | null;

  /** Encrypted; id, owner, family and script type are the associated data (wallet-authentication.pure.ts). */
  @Column({ name: 'sealed_extended_public_key', type: 'text' })
  sealedKey: string;

  /** Of a treasury its whole text, which is no secret. */
  @Column({ name: 'masked_key', type: 'text' })
  maskedKey: string;

  /** BIP32 fingerprint, for display. */
  @Column({ type: 'text' })
  fingerprint: string;

  /** SHA-256 of public key and chain code; unique, so that a key has one counter. */
  @Column({ name: 'key_hash', type: 'bytea' })
  keyHash: Buffer;

  /** Derivation index of the next address; it only grows. */
  @Column({ name: 'next_index', type: 'bigint', transformer: integerColumn })
  nextIndex: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'retired_at', type: 'timestamptz', nullable: true })
  retiredAt: Date | null;

  /** When its owner last confirmed that their own wallet shows its addresses; null: not since it took effect. */
  @Column({ name: 'compared_at', type: 'timestamptz', nullable: true })
  comparedAt: Date | null;

  /** The user who did. */
  @Column({ name: 'compared_by', type: 'text', nullable: true })
  comparedBy: string | null;

  /**
   * Keyed MAC over what decides where money goes (wallet-authentication.pure.ts): not the counter, the time of creation
   * or the comparison. Whoever writes `compared_at` in the database gains a tick in a list, and no address.
   */
  @Column({ type: 'text' })
  mac: string;

  /** Written by a trigger, which detects restored backups by it (migrations/0001-baseline/wallets.sql). */
  @Column({ type: 'text', nullable: true, select: false })
  lineage: string | null;
}
