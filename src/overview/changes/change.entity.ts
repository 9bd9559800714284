import { Column, Entity, PrimaryColumn } from 'typeorm';

/**
 * That something changed, for dashboards to fetch it. Written by triggers, read in the order of transactions, and
 * deleted after minutes.
 */
@Entity('changes')
export class ChangeEntity {
  /** Of the transaction that made the change: those that are still open are known, so that none is missed. */
  @PrimaryColumn({ name: 'transaction_id', type: 'bigint' })
  transactionId: string;

  /** Counts the changes of all users. */
  @PrimaryColumn({ type: 'bigint' })
  seq: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ type: 'text' })
  type: 'payment' | 'refund' | 'delivery' | 'application';

  /** Null: all applications. */
  @Column({ name: 'object_id', type: 'uuid', nullable: true })
  objectId: string | null;

  @Column({ name: 'application_id', type: 'uuid', nullable: true })
  applicationId: string | null;

  /** Of a refund or delivery. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  /** By the clock of the database: of two changes of an object, the later one has the later time. */
  @Column({ type: 'timestamptz' })
  at: Date;
}
