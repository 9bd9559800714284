import { bearer, type Mistake, type Sent } from './mistake.js';
import { type MistakesHarness, orderOf } from './mistakes-harness.js';

const server = ({ application }: MistakesHarness, method: string, path: string, body?: object): Sent => ({
  method,
  path,
  headers: bearer(application.clientToken),
  ...(body && { body }),
});
const dashboard = ({ owner }: MistakesHarness, method: string, path: string, body?: object): Sent => ({
  method,
  path,
  headers: bearer(owner.accessToken),
  ...(body && { body }),
});

export const PATHS: Mistake[] = [
  {
    title: 'a payment is created by POST /api/payment',
    request: (harness) => server(harness, 'POST', '/api/payment', orderOf(harness.application)),
  },
  {
    title: 'a payment is created by GET /api/payment/checkout',
    request: (harness) => server(harness, 'GET', '/api/payment/checkout?amount=2500&currencyCode=USD'),
  },
  {
    title: 'a payment is created by POST /api/checkout',
    request: (harness) => server(harness, 'POST', '/api/checkout', orderOf(harness.application)),
  },
  {
    title: 'payments in the plural',
    request: (harness) => dashboard(harness, 'GET', '/api/payments'),
  },
  {
    title: 'payments in the plural, on creation',
    request: (harness) => server(harness, 'POST', '/api/payments/checkout', orderOf(harness.application)),
  },
  {
    title: 'a version in the path',
    request: (harness) => server(harness, 'POST', '/api/v1/payment/checkout', orderOf(harness.application)),
  },
  {
    title: 'a path without /api',
    request: (harness) => server(harness, 'POST', '/payment/checkout', orderOf(harness.application)),
  },
  {
    title: 'a base address that ends in a slash',
    request: (harness) => server(harness, 'GET', `//api/payment/${harness.payments.open.id}`),
  },
  {
    title: '/api twice',
    request: (harness) => server(harness, 'POST', '/api/api/payment/checkout', orderOf(harness.application)),
  },
  {
    title: 'the payment application in the singular',
    request: (harness) => dashboard(harness, 'GET', `/api/payment-application/${harness.application.id}`),
  },
  {
    title: 'the payment applications in camel case',
    request: (harness) => dashboard(harness, 'GET', '/api/paymentApplications'),
  },
  {
    title: 'the status of a payment under a path of its own',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.payments.open.id}/status`),
  },
  {
    title: 'a route that does not exist and is like none',
    request: (harness) => dashboard(harness, 'GET', '/api/invoices'),
  },
  {
    title: 'an application is changed by PATCH',
    request: (harness) =>
      dashboard(harness, 'PATCH', `/api/payment-applications/${harness.application.id}`, { name: 'Coffee' }),
  },
  {
    title: 'a payment is cancelled by DELETE',
    request: (harness) => server(harness, 'DELETE', `/api/payment/${harness.payments.open.id}`),
  },
  {
    title: 'a payment is cancelled by GET',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.payments.open.id}/cancel`),
  },
  {
    title: 'a client token is changed by PUT',
    request: (harness) =>
      dashboard(
        harness,
        'PUT',
        `/api/payment-applications/${harness.application.id}/client-tokens/${harness.tokens.tokenId}`,
        { scopes: ['*'] },
      ),
  },
  {
    title: 'an empty payment id, because a variable is not set',
    request: (harness) => server(harness, 'GET', '/api/payment/'),
  },
  {
    title: 'the word undefined as the payment id',
    request: (harness) => server(harness, 'GET', '/api/payment/undefined'),
  },
  {
    title: 'the placeholder of the documentation as the payment id',
    request: (harness) => server(harness, 'GET', '/api/payment/%7BpaymentId%7D'),
  },
  {
    title: "the merchant's own reference as the payment id",
    request: (harness) => server(harness, 'GET', '/api/payment/ORDER-1001'),
  },
  {
    title: 'a payment id in capitals',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.payments.open.id.toUpperCase()}`),
  },
  {
    title: 'a payment id without hyphens',
    request: (harness) =>
      server(harness, 'GET', `/api/payment/${harness.payments.open.id.replaceAll('-', '')}`),
  },
  {
    title: 'the whole checkout link as the payment id',
    request: (harness) =>
      server(harness, 'GET', `/api/payment/${encodeURIComponent(harness.payments.open.checkoutUrl)}`),
  },
  {
    title: 'the clientId as the payment id',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.application.clientId}`),
  },
  {
    title: 'a client token in the path',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.application.clientToken}`),
  },
  {
    title: 'the id of the application as the payment id',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.application.id}`),
  },
  {
    title: 'the id of a refund as the payment id',
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.refunds.open.id}`),
  },
  {
    title: "a payment of the merchant's other application, by client token",
    request: (harness) => server(harness, 'GET', `/api/payment/${harness.payments.ofOther.id}`),
  },
  {
    title: 'a payment of the staging gateway',
    request: (harness) => server(harness, 'GET', '/api/payment/019aaf3c-0000-7000-8000-000000000000'),
  },
  {
    title: 'the clientId as the application id',
    request: (harness) =>
      dashboard(harness, 'GET', `/api/payment-applications/${harness.application.clientId}`),
  },
  {
    title: 'the site id as the application id',
    request: (harness) =>
      dashboard(harness, 'GET', `/api/payment-applications/${harness.application.site.id}`),
  },
  {
    title: 'the id of the OAuth client as the application id',
    request: (harness) => dashboard(harness, 'GET', `/api/payment-applications/${harness.owner.clientId}`),
  },
  {
    title: 'the application id as the site id',
    request: (harness) => dashboard(harness, 'GET', `/api/sites/${harness.application.id}`),
  },
  {
    title: 'a deleted application is changed',
    request: (harness) =>
      dashboard(harness, 'PUT', `/api/payment-applications/${harness.deletedApplication.id}`, {
        name: 'Shop',
      }),
  },
  {
    title: 'a mistyped currency code',
    request: (harness) => server(harness, 'GET', '/api/currencies/btcoin'),
  },
  {
    title: 'a currency code in place of the blockchain slug',
    request: (harness) => server(harness, 'GET', '/api/blockchains/ETH'),
  },
];
