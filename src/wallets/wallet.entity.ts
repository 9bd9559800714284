import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AddressFamily } from '../chains/chain.pure.js';

/** One extended public key with its counter. Rows are only retired, never deleted: their addresses stay watched. */
@Entity('wallets')
export class Wallet {
  @PrimaryColumn('uuid')
  id: string;

  /** Null: the default key of the user, or where that is null, too, of the operator. */
  @Column('uuid', { name: 'application_id', nullable: true })
  applicationId: string | null;

  @Column('text', { name: 'user_id', nullable: true })
  userId: string | null;

  @Column('text')
  family: AddressFamily;

  @Column('text', { name: 'script_type', nullable: true })
  scriptType: string | null;

  @Column('text', { name: 'sealed_extended_public_key' })
  sealedKey: string;

  @Column('text', { name: 'masked_key' })
  maskedKey: string;

  @Column('text', { name: 'fingerprint' })
  fingerprint: string;

  /** The next address's index; bigint, so text. */
  @Column('bigint', { name: 'next_index' })
  nextIndex: string;

  @Column('timestamptz', { name: 'created_at' })
  createdAt: Date;

  @Column('timestamptz', { name: 'retired_at', nullable: true })
  retiredAt: Date | null;
}
