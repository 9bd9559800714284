import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';
import type { RefundStatus } from './refund-status.pure.js';

/** A change of a refund. Entries are numbered without gaps, and neither changed nor deleted. */
@Entity('refund_history')
export class RefundHistoryEntity {
  @PrimaryColumn({ name: 'refund_id', type: 'uuid' })
  refundId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @PrimaryColumn({ type: 'integer' })
  seq: number;

  /** Null for the creation. The same as `toStatus` when only the address or the transaction changed. */
  @Column({ name: 'from_status', type: 'text', nullable: true })
  fromStatus: RefundStatus | null;

  @Column({ name: 'to_status', type: 'text' })
  toStatus: RefundStatus;

  @Column({ type: 'text' })
  reason: string;

  /** The refund's address after the change. */
  @Column({ type: 'text', nullable: true })
  address: string | null;

  /** The refund's transaction after the change. */
  @Column({ name: 'tx_hash', type: 'text', nullable: true })
  txHash: string | null;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

const AUTHENTICATED = [
  'refundId',
  'userId',
  'seq',
  'fromStatus',
  'toStatus',
  'reason',
  'address',
  'txHash',
  'createdAt',
] as const;

export const REFUND_HISTORY: AuthenticatedTable<RefundHistoryEntity, (typeof AUTHENTICATED)[number]> = {
  entity: RefundHistoryEntity,
  key: ['refundId', 'seq'],
  fields: AUTHENTICATED,
};
