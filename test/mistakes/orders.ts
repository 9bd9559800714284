import { bearer, type Mistake } from './mistake.js';
import { type MistakesHarness, orderOf } from './mistakes-harness.js';

function post(title: string, path: (harness: MistakesHarness) => string, body: object | undefined): Mistake {
  return {
    title,
    request: (harness) => ({
      method: 'POST',
      path: `/api/payment/${path(harness)}`,
      headers: bearer(harness.application.clientToken),
      ...(body && { body }),
    }),
  };
}

const refund = (title: string, body: object) =>
  post(title, ({ payments }) => `${payments.paid.id}/refunds`, body);

export const REFUNDS: Mistake[] = [
  post('a refund of a payment without funds', ({ payments }) => `${payments.open.id}/refunds`, {}),
  refund('more than was received', { amount: 1_000_000 }),
  refund('the amount as a string', { amount: '10.00' }),
  refund('another currency than the payment has', { amount: 100, currencyCode: 'EUR' }),
  refund('an address of another chain', {
    amount: 100,
    address: 'bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq',
  }),
  refund('a payout coin that is not watched', { amount: 100, payoutCurrencyCode: 'BTC' }),
  refund('a payout coin in lower case', { amount: 100, payoutCurrencyCode: 'eth' }),
  post(
    'an address in place of the transaction',
    ({ payments, refunds }) => `${payments.paid.id}/refunds/${refunds.open.id}/complete`,
    { txHash: '0x52908400098527886E0F7030069857D2E4169EE7' },
  ),
  post(
    'a cancelled refund is completed',
    ({ payments, refunds }) => `${payments.paid.id}/refunds/${refunds.cancelled.id}/complete`,
    { txHash: `0x${'ab'.repeat(32)}` },
  ),
  post(
    'a refund below another payment',
    ({ payments, refunds }) => `${payments.open.id}/refunds/${refunds.open.id}/cancel`,
    undefined,
  ),
  post('a refund by the path of other gateways', ({ payments }) => `${payments.paid.id}/refund`, {
    amount: 100,
  }),
];

export const STATES: Mistake[] = [
  post('a paid payment is cancelled', ({ payments }) => `${payments.paid.id}/cancel`, undefined),
  post(
    'a payment is cancelled whose funds were seen',
    ({ payments }) => `${payments.found.id}/cancel`,
    undefined,
  ),
  post('an unpaid payment is accepted', ({ payments }) => `${payments.open.id}/accept`, undefined),
  post('a paid payment is accepted', ({ payments }) => `${payments.paid.id}/accept`, undefined),
  post('a cancelled payment is accepted', ({ payments }) => `${payments.cancelled.id}/accept`, undefined),
];

/** A checkout with an Idempotency-Key that is wrong, or used wrongly. */
function keyed(title: string, key: (harness: MistakesHarness) => string): Mistake {
  return {
    title,
    request: (harness) => ({
      method: 'POST',
      path: '/api/payment/checkout',
      headers: { ...bearer(harness.application.clientToken), 'idempotency-key': key(harness) },
      body: { ...orderOf(harness.application), amount: 9_900 },
    }),
  };
}

export const REQUESTS: Mistake[] = [
  keyed('one Idempotency-Key for two orders', ({ usedKey }) => usedKey),
  keyed('an empty Idempotency-Key', () => ''),
  keyed('an Idempotency-Key of 300 characters', () => 'k'.repeat(300)),
  keyed('an Idempotency-Key with an umlaut', () => 'bestellung-für-1001'),
  {
    title: 'an answer in XML is requested',
    request: ({ payments, application }) => ({
      method: 'GET',
      path: `/api/payment/${payments.open.id}`,
      headers: { ...bearer(application.clientToken), accept: 'application/xml' },
    }),
  },
];
