import type { Change } from '../../../sdk/src/api-types.js';
import { type Asked, isAffected } from './affected.pure.js';

const change = (type: Change['type'], id: string | null, rest: Partial<Change> = {}): Change => ({
  type,
  id,
  applicationId: 'a1',
  paymentId: null,
  version: '1',
  ...rest,
});
const PAYMENT = change('payment', 'p1');
const REFUND = change('refund', 'r1', { paymentId: 'p1' });
const DELIVERY = change('delivery', 'd1', { paymentId: 'p1' });
const DELIVERIES = change('delivery', null, { applicationId: null });
const APPLICATION = change('application', 'a1');
const ALL_APPLICATIONS = change('application', null, { applicationId: null });
const NETWORK = change('blockchain', 'ethereum', { applicationId: null });
const EVERYTHING = change('everything', null, { applicationId: null });

const payments: Asked = { route: 'GET /api/payment', query: { page: 1 } };
const overview: Asked = { route: 'GET /api/payment-overview' };
const one: Asked = { route: 'GET /api/payment/{paymentId}', path: { paymentId: 'p1' } };
const other: Asked = { route: 'GET /api/payment/{paymentId}/timeline', path: { paymentId: 'p2' } };
const deliveriesOf = (id: string, query = {}): Asked => ({
  route: 'GET /api/payment-applications/{id}/webhook-deliveries',
  path: { id },
  query,
});
const endpoint: Asked = { route: 'GET /api/payment-applications/{id}/webhook-endpoint', path: { id: 'a1' } };
const settingsOf = (id: string): Asked => ({ route: 'GET /api/payment-applications/{id}', path: { id } });
const account: Asked = { route: 'GET /api/account' };

describe('isAffected', () => {
  it.each<[string, Change, Asked, boolean]>([
    ['a payment changes every list of payments', PAYMENT, payments, true],
    ['a payment changes the overview', PAYMENT, overview, true],
    ['a payment changes its own page', PAYMENT, one, true],
    ['a payment does not change the page of another one', PAYMENT, other, false],
    ['a payment changes what needs attention', PAYMENT, { route: 'GET /api/attention/counts' }, true],
    ['a payment changes reports', PAYMENT, { route: 'GET /api/reports/received' }, true],
    [
      'a payment changes the holdings',
      PAYMENT,
      { route: 'GET /api/payment-applications/{id}/holdings' },
      true,
    ],
    ['a payment does not change refunds', PAYMENT, { route: 'GET /api/refunds' }, false],
    ['a payment does not change settings', PAYMENT, settingsOf('a1'), false],
    ['a refund changes its payment', REFUND, one, true],
    ['a refund does not change another payment', REFUND, other, false],
    ['a refund changes the list of refunds', REFUND, { route: 'GET /api/refunds' }, true],
    ['a delivery changes the log of its application', DELIVERY, deliveriesOf('a1'), true],
    ['a delivery does not change the log of another one', DELIVERY, deliveriesOf('a2'), false],
    ['a delivery changes those of its payment', DELIVERY, deliveriesOf('a1', { paymentId: 'p1' }), true],
    ['a delivery does not change those of another', DELIVERY, deliveriesOf('a1', { paymentId: 'p2' }), false],
    ['several deliveries change every log', DELIVERIES, deliveriesOf('a2'), true],
    ['several deliveries change every payment', DELIVERIES, other, true],
    ['a delivery changes its endpoint', DELIVERY, endpoint, true],
    ['settings change their application', APPLICATION, settingsOf('a1'), true],
    ['settings do not change another application', APPLICATION, settingsOf('a2'), false],
    ['settings of all change every application', ALL_APPLICATIONS, settingsOf('a2'), true],
    ['settings do not change payments', APPLICATION, payments, false],
    ['a network changes the list of networks', NETWORK, { route: 'GET /api/blockchains' }, true],
    ['a network changes what needs attention', NETWORK, { route: 'GET /api/attention' }, true],
    ['a network does not change payments', NETWORK, payments, false],
    ['nothing but everything changes the account', PAYMENT, account, false],
    ['everything changes the account', EVERYTHING, account, true],
    ['everything changes a page of a payment', EVERYTHING, other, true],
  ])('%s', (_what, what, asked, expected) => {
    expect(isAffected(asked, what)).toBe(expected);
  });
});
