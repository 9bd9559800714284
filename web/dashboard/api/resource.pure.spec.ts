import type { Operations } from './operations.js';
import { resourceOf } from './resource.pure.js';

it.each<[keyof Operations, Record<string, string> | undefined, string[]]>([
  ['listPaymentOverview', undefined, ['payments']],
  ['getPayment', { paymentId: 'p1' }, ['payment', 'p1']],
  ['getPaymentTimeline', { paymentId: 'p1' }, ['payment', 'p1']],
  ['listRefunds', { paymentId: 'p1' }, ['payment', 'p1']],
  ['countAttention', undefined, ['attention']],
  ['listAllRefunds', undefined, ['refunds']],
  ['listAllWebhookDeliveries', undefined, ['deliveries']],
  ['getPaymentApplication', { id: 'a1' }, ['applications']],
  ['listBlockchains', undefined, ['other']],
])('what %s answers with %j is about %j', (id, path, expected) => {
  expect(resourceOf(id, path)).toEqual(expected);
});
