import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../applications/event-types.pure.js';

/** An event of a payment, for webhooks and the event feed. */
@Entity('payment_events')
export class PaymentEventEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  /** Of the newest history entry when it happened; unique per payment. */
  @Column({ type: 'integer' })
  seq: number;

  @Column({ type: 'text' })
  type: EventType;

  /** JSON text as it is sent, rendered once. */
  @Column({ type: 'text' })
  body: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When its delivery was created. */
  @Column({ name: 'dispatched_at', type: 'timestamptz', nullable: true })
  dispatchedAt: Date | null;

  /** Taken back before it was delivered. */
  @Column({ name: 'superseded_at', type: 'timestamptz', nullable: true })
  supersededAt: Date | null;

  /** Place in the event feed, given at dispatch; bigint, so text. */
  @Column({ type: 'bigint', nullable: true })
  position: string | null;

  /** An opt-in event that a later standard event made obsolete. */
  @Column({ name: 'overtaken_at', type: 'timestamptz', nullable: true })
  overtakenAt: Date | null;
}
