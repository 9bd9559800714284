import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn } from '../../platform/database/column-transformers.js';
import { LONGEST_PAUSE, type ReportedState } from './reported-transaction.pure.js';
import { Waits } from '../../platform/integrity/waiting-columns.js';

/** A transaction that a customer named: the gateway looks for it, and believes the chain alone. */
@Entity('reported_transactions')
export class ReportedTransactionEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  chain: string;

  /** In the spelling of its chain. */
  @Column({ name: 'tx_hash', type: 'text' })
  txHash: string;

  @Column({ type: 'text' })
  state: ReportedState;

  /** How often the chain was asked since it was reported last. */
  @Column({ type: 'integer' })
  checks: number;

  @Column({ name: 'reported_at', type: 'timestamptz' })
  reportedAt: Date;

  /** When a check of it last had a result. */
  @Column({ name: 'checked_at', type: 'timestamptz', nullable: true })
  checkedAt: Date | null;

  /** Null: the search is over. */
  @Waits(() => LONGEST_PAUSE.other)
  @Column({ name: 'next_check_at', type: 'timestamptz', nullable: true })
  nextCheckAt: Date | null;

  /** Of UNLISTED_TOKEN: its contract. Never its name, which the sender chooses. */
  @Column({ type: 'text', nullable: true })
  token: string | null;

  /** In the smallest unit of the contract, as it says itself. */
  @Column(amountColumn('token_amount', { nullable: true }))
  tokenAmount: bigint | null;

  /** When the merchant had seen to it. */
  @Column({ name: 'kept_at', type: 'timestamptz', nullable: true })
  keptAt: Date | null;
}
