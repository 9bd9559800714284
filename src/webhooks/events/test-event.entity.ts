import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { EventType } from '../../applications/event-types.pure.js';
import type { DeliveryState } from '../delivery-state.pure.js';

/** A test event with its only attempt. */
@Entity('webhook_tests')
export class TestEventEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'event_id', type: 'uuid' })
  eventId: string;

  /** Of the sample payment, which is not stored. */
  @Column({ name: 'payment_id', type: 'uuid' })
  paymentId: string;

  @Column({ type: 'text' })
  type: EventType;

  /** JSON text as it is sent. */
  @Column({ type: 'text' })
  body: string;

  @Column({ type: 'text' })
  state: Exclude<DeliveryState, 'superseded'>;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Of the process that has claimed the test event. */
  @Column({ name: 'lease_token', type: 'uuid', nullable: true })
  leaseToken: string | null;

  /** On the database's clock. */
  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  /** Null before the attempt. */
  @Column({ type: 'text', nullable: true })
  url: string | null;

  @Column({ name: 'http_status', type: 'integer', nullable: true })
  httpStatus: number | null;

  @Column({ type: 'text', nullable: true })
  error: string | null;

  /** At most 4 KiB. */
  @Column({ name: 'response_body', type: 'text', nullable: true })
  responseBody: string | null;

  /** Milliseconds from the start until there was a connection. */
  @Column({ name: 'connect_ms', type: 'integer', nullable: true })
  connectMs: number | null;

  /** Milliseconds from the start until the response headers arrived. */
  @Column({ name: 'first_byte_ms', type: 'integer', nullable: true })
  firstByteMs: number | null;

  /** Milliseconds from the start to the end. */
  @Column({ name: 'duration_ms', type: 'integer', nullable: true })
  durationMs: number | null;

  /** When the attempt started. */
  @Column({ name: 'started_at', type: 'timestamptz', nullable: true })
  startedAt: Date | null;
}
