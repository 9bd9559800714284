import { bearer, type Mistake } from './mistake.js';
import type { MistakesHarness } from './mistakes-harness.js';

type Path = string | ((harness: MistakesHarness) => string);
const pathOf = (path: Path, harness: MistakesHarness) => (typeof path === 'string' ? path : path(harness));

/** A request of a dashboard of the merchant's own. */
function asked(title: string, method: string, path: Path, body?: object): Mistake {
  return {
    title,
    request: (harness) => ({
      method,
      path: pathOf(path, harness),
      headers: bearer(harness.owner.accessToken),
      ...(body && { body }),
    }),
  };
}
/** A request of a customer's page, with the signed link of an open payment. */
const customer = (title: string, path: string, body: object): Mistake => ({
  title,
  request: ({ payments: { open } }) => ({
    method: 'POST',
    path: `/api/checkout/payment/${open.id}/${path}${new URL(open.checkoutUrl).search}`,
    body,
  }),
});
const applicationOf = ({ application }: MistakesHarness) => `/api/payment-applications/${application.id}`;
const REPORT = '/api/reports/received';

export const DASHBOARDS: Mistake[] = [
  asked('the name of a color as the accent', 'PUT', applicationOf, { accent: 'red' }),
  asked('a logo by its address', 'PUT', (harness) => `${applicationOf(harness)}/logo`, {
    content: 'https://shop.example.com/logo.png',
  }),
  asked('an overview page by its number', 'GET', '/api/payment-overview?page=2'),
  asked('an amount range without its currency', 'GET', '/api/payment-overview?amountFrom=100'),
  asked('a kind of attention that does not exist', 'GET', '/api/attention?kind=overpaid_hold'),
  asked('the kinds of attention in capitals', 'GET', '/api/attention?kind=UNDERPAID'),
  asked('refunds by the status of a payment', 'GET', '/api/refunds?status=CONFIRMED'),
  asked('an export as a former Excel file', 'GET', '/api/payment/export?format=xls'),
  asked('a report without its span', 'GET', REPORT),
  asked('a report of days without a time zone', 'GET', `${REPORT}?from=2026-01-01&to=2026-02-01`),
  asked('a report of two years', 'GET', `${REPORT}?from=2024-01-01T00:00:00Z&to=2026-01-01T00:00:00Z`),
  asked(
    'a time zone by its abbreviation',
    'GET',
    `${REPORT}?from=2026-01-01T00:00:00Z&to=2026-02-01T00:00:00Z&timeZone=CEST`,
  ),
  asked('a filter of the audit log that does not exist', 'GET', '/api/audit?action=sign_in'),
  asked('a session that is none', 'DELETE', '/api/account/sessions/current'),
  asked('a saved view as an object', 'PUT', '/api/account/saved-views', { views: { late: { page: 1 } } }),
  asked('an OAuth client made by a server', 'POST', '/api/account/oauth-clients', { name: 'Books' }),
  {
    title: 'changes by a client token',
    request: ({ application }) => ({
      method: 'GET',
      path: '/api/changes',
      headers: bearer(application.clientToken),
    }),
  },
  {
    title: 'changes after a time in place of an id',
    request: ({ owner }) => ({
      method: 'GET',
      path: '/api/changes',
      headers: { ...bearer(owner.accessToken), 'last-event-id': '2026-01-15T10:00:00Z' },
    }),
  },
  {
    title: 'a receipt without its signature',
    request: ({ payments: { paid } }) => ({ method: 'GET', path: `/receipt/${paid.id}` }),
  },
  customer('a reported transaction by the address it went to', 'transaction', {
    txHash: '0x52908400098527886E0F7030069857D2E4169EE7',
  }),
  customer('a refund request for the price', 'refund-request', { type: 'FULL' }),
  customer('a refund request for money that has not come', 'refund-request', { type: 'OVERPAYMENT' }),
];
