import type { TenantFixtures } from './tenant-fixtures.js';
import { ROWS } from './authorization-matrix.js';

/** Everything that a request can name, by id or by what is searched for. */
export interface Names extends TenantFixtures {
  userId: string;
  reference: string;
  txHash: string;
  address: string;
}

export interface Attempt {
  route: string;
  /** With the signature of a link to the attacker's own payment. */
  isLinked?: boolean;
  query?: (names: Names) => Record<string, string>;
  body?: (names: Names) => object;
}

const everyId = (names: Names) => ({ ...names, id: names.applicationId, site: { id: names.siteId } });
export const order = {
  amount: 10_000,
  currencyCode: 'USD',
  reference: 'ORDER-1',
  referenceLabel: 'Order #1',
};

/** Every line of the authorization matrix, and requests that name things elsewhere than there. */
export const ATTEMPTS: Attempt[] = [
  ...ROWS.map(({ route, query, body }) => ({ route, ...(query && { query }), ...(body && { body }) })),
  ...ROWS.filter(({ access }) => access === 'signed link').map(({ route }) => ({ route, isLinked: true })),
  { route: 'GET /api/payment', query: ({ reference }) => ({ reference }) },
  { route: 'GET /api/payment', query: ({ reference }) => ({ search: reference }) },
  { route: 'GET /api/payment/by-reference', query: ({ reference }) => ({ reference }) },
  { route: 'GET /api/payment', query: ({ txHash }) => ({ search: txHash, sort: 'amount' }) },
  { route: 'GET /api/payment', query: ({ address }) => ({ search: address, status: 'OPEN,CONFIRMED' }) },
  {
    route: 'GET /api/payment',
    query: ({ applicationId, paymentId }) => ({ paymentApplicationId: applicationId, search: paymentId }),
  },
  { route: 'GET /api/payment-overview', query: ({ reference }) => ({ search: reference }) },
  { route: 'GET /api/payment-overview', query: ({ txHash }) => ({ search: txHash, currencyCode: 'USD' }) },
  {
    route: 'GET /api/payment-overview',
    query: ({ address }) => ({ search: address, status: 'OPEN,CONFIRMED' }),
  },
  {
    route: 'GET /api/payment-overview',
    query: ({ applicationId, paymentId }) => ({ paymentApplicationId: applicationId, search: paymentId }),
  },
  { route: 'GET /api/payment/export', query: ({ reference }) => ({ reference, format: 'jsonl' }) },
  {
    route: 'GET /api/payment-applications/:id/webhook-deliveries',
    query: ({ paymentId }) => ({ paymentId, event: 'payment.received', status: 'SUCCEEDED' }),
  },
  {
    route: 'POST /api/payment-applications/:id/webhook-deliveries/replay',
    body: ({ deliveryId }) => ({ since: '2020-01-01T00:00:00Z', after: deliveryId }),
  },
  { route: 'PUT /api/payment-applications/:id', body: (names) => ({ ...everyId(names), name: 'Renamed' }) },
  {
    route: 'POST /api/payment-applications',
    body: (names) => ({ ...everyId(names), name: 'Another', secret: 'a secret of the attacker' }),
  },
  {
    route: 'POST /api/payment-applications/:id/client-tokens',
    body: (names) => ({ ...everyId(names), label: 'Server', scopes: ['*'] }),
  },
  {
    route: 'POST /api/checkout/payment/:paymentId/transaction',
    isLinked: true,
    body: ({ txHash }) => ({ txHash }),
  },
  {
    route: 'POST /api/payment/checkout',
    body: (names) => ({ ...names, ...order }),
  },
  {
    route: 'POST /api/payment/:paymentId/cancel',
    body: (names) => ({ ...everyId(names), reason: 'mine now' }),
  },
];
