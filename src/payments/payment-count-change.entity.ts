import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { PaymentStatus } from './payment-status.pure.js';

/**
 * What the count of a kind of payments changes by. Triggers write it with the payment; a loop adds it to the counts
 * within seconds and deletes it.
 */
@Entity('payment_count_changes')
export class PaymentCountChangeEntity {
  @PrimaryColumn({ name: 'user_id', type: 'text' })
  userId: string;

  @PrimaryColumn({ type: 'bigint' })
  seq: string;

  /** In which the payment was created; its beginning. */
  @Column({ type: 'timestamptz' })
  hour: Date;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ type: 'text' })
  status: PaymentStatus;

  @Column({ name: 'currency_code', type: 'text' })
  currencyCode: string;

  @Column({ type: 'bigint' })
  change: string;
}
