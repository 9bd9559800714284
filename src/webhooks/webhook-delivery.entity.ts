import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApplicationEventType, EventType } from '../applications/event-types.pure.js';
import type { DeliveryState } from './delivery-state.pure.js';
import { leaseSeconds, longestWaitSeconds } from './retry-schedule.pure.js';
import { Waits } from '../platform/integrity/waiting-columns.js';

/** The delivery of one event to its endpoint. */
@Entity('webhook_deliveries')
export class WebhookDeliveryEntity {
  /** Time-ordered, so ids of a payment ascend in the order of its events. */
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Unique: one delivery per event. */
  @Column({ name: 'event_id', type: 'uuid' })
  eventId: string;

  /** Of the event: null if it follows no move of a payment. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** Of the event: the order within the payment; null as {@link paymentId}. */
  @Column({ type: 'integer', nullable: true })
  seq: number | null;

  /** Of the event. */
  @Column({ type: 'integer', nullable: true })
  place: number | null;

  @Column({ type: 'text' })
  type: EventType | ApplicationEventType;

  @Column({ type: 'text' })
  state: DeliveryState;

  /** Number of finished attempts. */
  @Column({ type: 'integer' })
  attempts: number;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  @Column({ name: 'first_attempt_at', type: 'timestamptz', nullable: true })
  firstAttemptAt: Date | null;

  /** Set exactly while the delivery is pending; of a test the beginning of time, so that it comes first. */
  @Waits(({ webhooks }) => longestWaitSeconds(webhooks.retryScheduleSeconds), { state: 'pending' })
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt: Date | null;

  /** Of the process that has claimed the delivery. */
  @Column({ name: 'lease_token', type: 'uuid', nullable: true })
  leaseToken: string | null;

  /** On the database's clock. */
  @Waits(({ webhooks }) => leaseSeconds(webhooks.timeoutMs), { state: 'pending' })
  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  /** Of the latest success; it stays when a redelivery fails. */
  @Column({ name: 'succeeded_at', type: 'timestamptz', nullable: true })
  succeededAt: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;

  /** Seconds by which Retry-After has postponed attempts so far. */
  @Column({ name: 'deferred_seconds', type: 'integer' })
  deferredSeconds: number;

  /** When a later event of the payment made this one obsolete. */
  @Column({ name: 'overtaken_at', type: 'timestamptz', nullable: true })
  overtakenAt: Date | null;

  /** Of the event: set of a test. */
  @Column({ name: 'test_payment_id', type: 'uuid', nullable: true })
  testPaymentId: string | null;
}
