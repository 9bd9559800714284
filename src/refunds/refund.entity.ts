import { Column, Entity, PrimaryColumn } from 'typeorm';
import { amountColumn } from '../platform/database/column-transformers.js';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';
import type { FailureReason, RefundStatus, RefundType } from './refund-status.pure.js';
import { Waits } from '../platform/integrity/waiting-columns.js';

/** Funds that a merchant returns, their recipient, and the transaction that paid them. */
@Entity('refunds')
export class RefundEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  type: RefundType;

  @Column({ type: 'text' })
  status: RefundStatus;

  /** Number of the newest entry of its history; each change adds one. */
  @Column({ name: 'status_seq', type: 'integer' })
  statusSeq: number;

  /** The unmatched transfer that is given back; null: the refund is of what the payment has received. */
  @Column({ name: 'transfer_id', type: 'uuid', nullable: true })
  transferId: string | null;

  /** In the smallest unit of the payment's currency; zero with a transfer, which counts for nothing. */
  @Column(amountColumn('amount'))
  amount: bigint;

  @Column({ type: 'text' })
  chain: string;

  /** 'native' or the token contract in lower case. */
  @Column({ type: 'text' })
  asset: string;

  @Column({ name: 'payout_currency_code', type: 'text' })
  payoutCurrencyCode: string;

  /** Of the asset on its chain. */
  @Column({ name: 'payout_decimals', type: 'smallint' })
  payoutDecimals: number;

  /** In the smallest unit of the asset on its chain. */
  @Column(amountColumn('payout_amount'))
  payoutAmount: bigint;

  /** Pricing currency for one whole coin, decimal text; null when the merchant named the payout amount. */
  @Column({ type: 'text', nullable: true })
  rate: string | null;

  @Column({ name: 'rate_locked_at', type: 'timestamptz', nullable: true })
  rateLockedAt: Date | null;

  @Column({ name: 'confirmations_required', type: 'integer' })
  confirmationsRequired: number;

  @Column({ type: 'text', nullable: true })
  address: string | null;

  /** The address as transactions are matched on it, e.g. the 20 address bytes on EVM chains. */
  @Column({ name: 'address_key', type: 'bytea', nullable: true })
  addressKey: Buffer | null;

  @Column({ name: 'address_set_by', type: 'text', nullable: true })
  addressSetBy: 'merchant' | 'customer' | null;

  @Column({ name: 'tx_hash', type: 'text', nullable: true })
  txHash: string | null;

  @Column({ name: 'tx_recorded_at', type: 'timestamptz', nullable: true })
  txRecordedAt: Date | null;

  /** When a node last knew the transaction. */
  @Column({ name: 'tx_seen_at', type: 'timestamptz', nullable: true })
  txSeenAt: Date | null;

  /**
   * What the transaction has paid to the address in the asset, smallest unit; written with COMPLETED. For the guard of the
   * database only: what is decided here is decided by what the chain says then.
   */
  @Column(amountColumn('tx_credited', { nullable: true, select: false }))
  txCredited: bigint | null;

  @Column({ type: 'integer' })
  confirmations: number;

  /** When the transaction is verified next; not null while PROCESSING. */
  @Waits(() => 60, { status: 'PROCESSING' })
  @Column({ name: 'next_check_at', type: 'timestamptz', nullable: true })
  nextCheckAt: Date | null;

  @Column({ type: 'text', nullable: true })
  reason: string | null;

  @Column({ type: 'text', nullable: true })
  note: string | null;

  /** The user; null: the customer asked for it. */
  @Column({ name: 'requested_by', type: 'text', nullable: true })
  requestedBy: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Until then the customer can name an address. */
  @Column({ name: 'expires_at', type: 'timestamptz' })
  expiresAt: Date;

  @Column({ name: 'completed_at', type: 'timestamptz', nullable: true })
  completedAt: Date | null;

  @Column({ name: 'failure_reason', type: 'text', nullable: true })
  failureReason: FailureReason | null;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** Everything but when it is looked at next, and what only the database reads. */
const AUTHENTICATED = [
  'id',
  'paymentId',
  'userId',
  'type',
  'status',
  'statusSeq',
  'transferId',
  'amount',
  'chain',
  'asset',
  'payoutCurrencyCode',
  'payoutDecimals',
  'payoutAmount',
  'rate',
  'rateLockedAt',
  'confirmationsRequired',
  'address',
  'addressKey',
  'addressSetBy',
  'txHash',
  'txRecordedAt',
  'txSeenAt',
  'confirmations',
  'reason',
  'note',
  'requestedBy',
  'createdAt',
  'expiresAt',
  'completedAt',
  'failureReason',
] as const;

export const REFUNDS: AuthenticatedTable<RefundEntity, (typeof AUTHENTICATED)[number]> = {
  entity: RefundEntity,
  key: ['id'],
  fields: AUTHENTICATED,
};
