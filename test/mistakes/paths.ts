import { bearer, type Mistake, type Sent } from './mistake.js';
import { type MistakesWorld, orderOf } from './world.js';

const server = ({ application }: MistakesWorld, method: string, path: string, body?: object): Sent => ({
  method,
  path,
  headers: bearer(application.clientToken),
  ...(body && { body }),
});
const dashboard = ({ owner }: MistakesWorld, method: string, path: string, body?: object): Sent => ({
  method,
  path,
  headers: bearer(owner.accessToken),
  ...(body && { body }),
});

export const PATHS: Mistake[] = [
  {
    title: 'a payment is created by POST /api/payment',
    request: (world) => server(world, 'POST', '/api/payment', orderOf(world.application)),
  },
  {
    title: 'a payment is created by GET /api/payment/checkout',
    request: (world) => server(world, 'GET', '/api/payment/checkout?amount=2500&currencyCode=USD'),
  },
  {
    title: 'a payment is created by POST /api/checkout',
    request: (world) => server(world, 'POST', '/api/checkout', orderOf(world.application)),
  },
  {
    title: 'payments in the plural',
    request: (world) => dashboard(world, 'GET', '/api/payments'),
  },
  {
    title: 'payments in the plural, on creation',
    request: (world) => server(world, 'POST', '/api/payments/checkout', orderOf(world.application)),
  },
  {
    title: 'a version in the path',
    request: (world) => server(world, 'POST', '/api/v1/payment/checkout', orderOf(world.application)),
  },
  {
    title: 'a path without /api',
    request: (world) => server(world, 'POST', '/payment/checkout', orderOf(world.application)),
  },
  {
    title: 'a base address that ends in a slash',
    request: (world) => server(world, 'GET', `//api/payment/${world.payments.open.id}`),
  },
  {
    title: '/api twice',
    request: (world) => server(world, 'POST', '/api/api/payment/checkout', orderOf(world.application)),
  },
  {
    title: 'the payment application in the singular',
    request: (world) => dashboard(world, 'GET', `/api/payment-application/${world.application.id}`),
  },
  {
    title: 'the payment applications in camel case',
    request: (world) => dashboard(world, 'GET', '/api/paymentApplications'),
  },
  {
    title: 'the status of a payment under a path of its own',
    request: (world) => server(world, 'GET', `/api/payment/${world.payments.open.id}/status`),
  },
  {
    title: 'a route that does not exist and is like none',
    request: (world) => dashboard(world, 'GET', '/api/invoices'),
  },
  {
    title: 'an application is changed by PATCH',
    request: (world) =>
      dashboard(world, 'PATCH', `/api/payment-applications/${world.application.id}`, { name: 'Coffee' }),
  },
  {
    title: 'a payment is cancelled by DELETE',
    request: (world) => server(world, 'DELETE', `/api/payment/${world.payments.open.id}`),
  },
  {
    title: 'a payment is cancelled by GET',
    request: (world) => server(world, 'GET', `/api/payment/${world.payments.open.id}/cancel`),
  },
  {
    title: 'a client token is changed by PUT',
    request: (world) =>
      dashboard(
        world,
        'PUT',
        `/api/payment-applications/${world.application.id}/client-tokens/${world.tokens.tokenId}`,
        { scopes: ['*'] },
      ),
  },
  {
    title: 'an empty payment id, because a variable is not set',
    request: (world) => server(world, 'GET', '/api/payment/'),
  },
  {
    title: 'the word undefined as the payment id',
    request: (world) => server(world, 'GET', '/api/payment/undefined'),
  },
  {
    title: 'the placeholder of the documentation as the payment id',
    request: (world) => server(world, 'GET', '/api/payment/%7BpaymentId%7D'),
  },
  {
    title: "the merchant's own reference as the payment id",
    request: (world) => server(world, 'GET', '/api/payment/ORDER-1001'),
  },
  {
    title: 'a payment id in capitals',
    request: (world) => server(world, 'GET', `/api/payment/${world.payments.open.id.toUpperCase()}`),
  },
  {
    title: 'a payment id without hyphens',
    request: (world) => server(world, 'GET', `/api/payment/${world.payments.open.id.replaceAll('-', '')}`),
  },
  {
    title: 'the whole checkout link as the payment id',
    request: (world) =>
      server(world, 'GET', `/api/payment/${encodeURIComponent(world.payments.open.checkoutUrl)}`),
  },
  {
    title: 'the clientId as the payment id',
    request: (world) => server(world, 'GET', `/api/payment/${world.application.clientId}`),
  },
  {
    title: 'a client token in the path',
    request: (world) => server(world, 'GET', `/api/payment/${world.application.clientToken}`),
  },
  {
    title: 'the id of the application as the payment id',
    request: (world) => server(world, 'GET', `/api/payment/${world.application.id}`),
  },
  {
    title: 'the id of a refund as the payment id',
    request: (world) => server(world, 'GET', `/api/payment/${world.refunds.open.id}`),
  },
  {
    title: "a payment of the merchant's other application, by client token",
    request: (world) => server(world, 'GET', `/api/payment/${world.payments.ofOther.id}`),
  },
  {
    title: 'a payment of the staging gateway',
    request: (world) => server(world, 'GET', '/api/payment/019aaf3c-0000-7000-8000-000000000000'),
  },
  {
    title: 'the clientId as the application id',
    request: (world) => dashboard(world, 'GET', `/api/payment-applications/${world.application.clientId}`),
  },
  {
    title: 'the site id as the application id',
    request: (world) => dashboard(world, 'GET', `/api/payment-applications/${world.application.site.id}`),
  },
  {
    title: 'the id of the OAuth client as the application id',
    request: (world) => dashboard(world, 'GET', `/api/payment-applications/${world.owner.clientId}`),
  },
  {
    title: 'the application id as the site id',
    request: (world) => dashboard(world, 'GET', `/api/sites/${world.application.id}`),
  },
  {
    title: 'a deleted application is changed',
    request: (world) =>
      dashboard(world, 'PUT', `/api/payment-applications/${world.deletedApplication.id}`, { name: 'Shop' }),
  },
  {
    title: 'a mistyped currency code',
    request: (world) => server(world, 'GET', '/api/currencies/btcoin'),
  },
  {
    title: 'a currency code in place of the blockchain slug',
    request: (world) => server(world, 'GET', '/api/blockchains/ETH'),
  },
];
