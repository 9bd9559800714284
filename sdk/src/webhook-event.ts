import type { Payment } from './api-types.js';

interface EventOf<Name extends string> {
  /** The same on every attempt: whoever has seen it answers 2xx and does nothing. */
  id: string;
  event: Name;
  /** ISO 8601, UTC. */
  createdAt: string;
  /** The whole payment as of the event. */
  payment: Payment;
}

/** What a webhook says; tell them apart by `event`. */
export type WebhookEvent =
  | EventOf<'payment.received'>
  | EventOf<'payment.completed'>
  | EventOf<'payment.underpaid'>
  | EventOf<'payment.refund'>;
