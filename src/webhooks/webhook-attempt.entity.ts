import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';

/** One HTTP attempt of a delivery. */
@Entity('webhook_attempts')
export class WebhookAttemptEntity {
  @PrimaryColumn({ name: 'delivery_id', type: 'uuid' })
  deliveryId: string;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  /** From 1. */
  @PrimaryColumn({ type: 'integer' })
  number: number;

  @Column({ type: 'text' })
  url: string;

  @Column({ name: 'http_status', type: 'integer', nullable: true })
  httpStatus: number | null;

  /** A class of failures; null with a response. */
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
  @Column({ name: 'duration_ms', type: 'integer' })
  durationMs: number;

  /** When the attempt started. */
  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** Null: a release without it made the attempt, or something else than the gateway did. */
  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** What an attempt says that was made; a delivery has succeeded only by one (docs/decisions/0893-name-untruths-to-people.md). */
const AUTHENTICATED = ['deliveryId', 'number', 'url', 'httpStatus', 'error', 'createdAt'] as const;

export const WEBHOOK_ATTEMPTS: AuthenticatedTable<WebhookAttemptEntity, (typeof AUTHENTICATED)[number]> = {
  entity: WebhookAttemptEntity,
  key: ['deliveryId', 'number'],
  fields: AUTHENTICATED,
};
