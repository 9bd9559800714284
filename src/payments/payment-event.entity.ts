import { Column, Entity, PrimaryColumn } from 'typeorm';
import type { ApplicationEventType, EventType } from '../applications/event-types.pure.js';
import type { AuthenticatedTable } from '../platform/integrity/authenticated-rows.js';

/**
 * The outbox: an event of a move of a payment, for webhooks and the event feed; one that is about an application, by
 * webhook only; or a test that a merchant asked for.
 */
@Entity('payment_events')
export class PaymentEventEntity {
  @PrimaryColumn({ type: 'uuid' })
  id: string;

  /** Null: it follows no move of a payment. */
  @Column({ name: 'payment_id', type: 'uuid', nullable: true })
  paymentId: string | null;

  @Column({ name: 'user_id', type: 'text' })
  userId: string;

  @Column({ name: 'application_id', type: 'uuid' })
  applicationId: string;

  /** Number of the history entry that it belongs to; unique per payment. Null: as {@link paymentId}. */
  @Column({ type: 'integer', nullable: true })
  seq: number | null;

  @Column({ type: 'text' })
  type: EventType | ApplicationEventType;

  /** The JSON text that is sent. */
  @Column({ type: 'text' })
  body: string;

  @Column({ name: 'created_at', type: 'timestamptz' })
  createdAt: Date;

  /** When it was dispatched: its delivery was created, if it needed one. */
  @Column({ name: 'dispatched_at', type: 'timestamptz', nullable: true })
  dispatchedAt: Date | null;

  /** When a reorganization made it untrue; it is not sent any more. */
  @Column({ name: 'superseded_at', type: 'timestamptz', nullable: true })
  supersededAt: Date | null;

  /** Place in the event feed, given at dispatch; bigint, so text. */
  @Column({ type: 'bigint', nullable: true })
  position: string | null;

  /**
   * Of payment.updated, which has no number: the place among the events of its payment, as that of the last move times
   * 1,000, and its own number.
   */
  @Column({ type: 'integer', nullable: true })
  place: number | null;

  /** When a later event made this one obsolete; it is not sent any more. */
  @Column({ name: 'overtaken_at', type: 'timestamptz', nullable: true })
  overtakenAt: Date | null;

  /** Of a test, and only of a test: the payment that its body makes up. */
  @Column({ name: 'test_payment_id', type: 'uuid', nullable: true })
  testPaymentId: string | null;

  @Column({ type: 'text', nullable: true, select: false })
  mac: string | null;
}

/** What is announced; the other columns say how far it was brought. */
const AUTHENTICATED = [
  'id',
  'paymentId',
  'userId',
  'applicationId',
  'seq',
  'type',
  'body',
  'createdAt',
  'testPaymentId',
] as const;

export const PAYMENT_EVENTS: AuthenticatedTable<PaymentEventEntity, (typeof AUTHENTICATED)[number]> = {
  entity: PaymentEventEntity,
  key: ['id'],
  fields: AUTHENTICATED,
};
