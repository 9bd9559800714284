import type { Operations } from './operations.js';

/** What a list or a screen is about. A change of it makes every answer that begins with it old. */
export type Resource = readonly [
  'payments' | 'payment' | 'attention' | 'refunds' | 'deliveries' | 'applications' | 'other',
  ...string[],
];

const LISTS: Partial<Record<keyof Operations, Resource>> = {
  listPayments: ['payments'],
  listPaymentOverview: ['payments'],
  listAttention: ['attention'],
  countAttention: ['attention'],
  listAllRefunds: ['refunds'],
  listAllWebhookDeliveries: ['deliveries'],
  listWebhookDeliveries: ['deliveries'],
  listWebhookAttempts: ['deliveries'],
  getWebhookEndpoint: ['deliveries'],
  listPaymentApplications: ['applications'],
  getPaymentApplication: ['applications'],
};

/** The beginning of the key of an answer. What is about one payment is kept under its id. */
export function resourceOf(id: keyof Operations, path: Readonly<Record<string, string>> = {}): Resource {
  const { paymentId } = path;
  if (paymentId !== undefined) return ['payment', paymentId];
  return LISTS[id] ?? ['other'];
}
