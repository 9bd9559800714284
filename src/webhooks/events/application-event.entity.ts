import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApplicationEventType } from '../../applications/event-types.pure.js';

/** An event that is about an application and not about a payment, with its delivery. Rows are kept. */
@Entity('application_events')
export class ApplicationEventEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  @Column({ type: 'text' })
  type: ApplicationEventType;

  /** JSON text as it is sent. */
  @Column({ type: 'text' })
  body: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** `skipped`: the application has no callback URL any more. */
  @Column({ type: 'text' })
  state: 'pending' | 'succeeded' | 'exhausted' | 'skipped';

  /** Number of finished attempts. */
  @Column({ type: 'integer' })
  attempts: number;

  @Column({ name: 'first_attempt_at', type: 'timestamptz', nullable: true })
  firstAttemptAt: Date | null;

  /** Set exactly while it is pending. */
  @Column({ name: 'next_attempt_at', type: 'timestamptz', nullable: true })
  nextAttemptAt: Date | null;

  /** Seconds by which Retry-After has postponed attempts so far. */
  @Column({ name: 'deferred_seconds', type: 'integer' })
  deferredSeconds: number;

  /** Of the process that has claimed the event. */
  @Column({ name: 'lease_token', type: 'uuid', nullable: true })
  leaseToken: string | null;

  /** On the database's clock. */
  @Column({ name: 'lease_until', type: 'timestamptz', nullable: true })
  leaseUntil: Date | null;

  @Column({ name: 'last_error', type: 'text', nullable: true })
  lastError: string | null;
}
