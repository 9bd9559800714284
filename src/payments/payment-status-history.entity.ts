import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';
import type { PaymentStatus } from './payment-status.pure.js';

/** One move of a payment. Rows are never changed. */
@Entity('payment_status_history')
export class PaymentStatusHistoryEntity {
  @PrimaryColumn({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** Counts from 1. */
  @PrimaryColumn({ type: 'integer' })
  seq: number;

  /** Null in the first entry. */
  @Column({ name: 'from_status', type: 'text', nullable: true })
  fromStatus: PaymentStatus | null;

  @Column({ name: 'to_status', type: 'text' })
  toStatus: PaymentStatus;

  @Column({ type: 'text' })
  reason: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** Everything: an entry is never changed. */
const AUTHENTICATED = [
  'paymentId',
  'userId',
  'seq',
  'fromStatus',
  'toStatus',
  'reason',
  'createdAt',
] as const;

export const PAYMENT_STATUS_HISTORY: AuthenticatedTable<
  PaymentStatusHistoryEntity,
  (typeof AUTHENTICATED)[number]
> = {
  entity: PaymentStatusHistoryEntity,
  key: ['paymentId', 'seq'],
  fields: AUTHENTICATED,
};
