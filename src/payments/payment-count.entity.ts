import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PaymentStatus } from './payment-status.pure.js';

/** How many payments of one kind were created in a month, day or hour of UTC. */
@Entity('payment_counts')
export class PaymentCountEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @PrimaryColumn({ type: 'text' })
  span: 'month' | 'day' | 'hour';

  @PrimaryColumn({ name: 'starts_at', type: 'timestamptz' })
  startsAt: Date;

  @PrimaryColumn({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @PrimaryColumn({ type: 'text' })
  status: PaymentStatus;

  @PrimaryColumn({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  /** Below zero while changes of a payment are added in two turns. */
  @Column({ type: 'bigint' })
  total: string;
}
