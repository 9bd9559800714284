import { bearer, type Mistake } from './mistake.js';
import { type MistakesHarness, orderOf } from './mistakes-harness.js';

type Fields = Record<string, unknown>;

/** A checkout whose fields are right but for `changes`; undefined leaves a field out. */
function withFields(title: string, changes: (harness: MistakesHarness) => Fields): Mistake {
  return {
    title,
    request: (harness) => ({
      method: 'POST',
      path: '/api/payment/checkout',
      headers: bearer(harness.application.clientToken),
      body: { ...orderOf(harness.application), ...changes(harness) },
    }),
  };
}

/** A checkout whose bytes are wrong. */
function withBody(
  title: string,
  body: (order: Fields) => string | Uint8Array,
  contentType: string | null = 'application/json',
): Mistake {
  return {
    title,
    request: (harness) => ({
      method: 'POST',
      path: '/api/payment/checkout',
      headers: {
        ...bearer(harness.application.clientToken),
        ...(contentType !== null && { 'content-type': contentType }),
      },
      body: body(orderOf(harness.application)),
    }),
  };
}

const without = (...names: string[]): Fields => Object.fromEntries(names.map((name) => [name, undefined]));
const asForm = (order: Fields) => new URLSearchParams(order as Record<string, string>).toString();

export const CHECKOUT_FIELDS: Mistake[] = [
  withFields('the amount as a string', () => ({ amount: '2500' })),
  withFields('the amount in dollars, as a string', () => ({ amount: '25.00' })),
  withFields('the amount in dollars, as a fraction', () => ({ amount: 25.5 })),
  withFields('an amount object as answers have it', () => ({ amount: { value: 25, amount: 2500 } })),
  withFields('an amount of nothing', () => ({ amount: 0 })),
  withFields('a negative amount', () => ({ amount: -2500 })),
  withFields('an amount above all bounds', () => ({ amount: 1_000_000_000_000_000 })),
  withFields('no amount', () => without('amount')),
  withFields('a currency in lower case', () => ({ currencyCode: 'usd' })),
  withFields('the name of a currency', () => ({ currencyCode: 'Euro' })),
  withFields('a currency symbol', () => ({ currencyCode: '$' })),
  withFields('a currency with its network', () => ({ currencyCode: 'USDT-ERC20' })),
  withFields('a coin that this gateway knows and does not watch', () => ({
    currencyCode: 'BTC',
    amount: 100_000,
  })),
  withFields('the currency under another name', () => ({ ...without('currencyCode'), currency: 'USD' })),
  withFields('every field in snake case', ({ application }) => ({
    ...without('currencyCode', 'referenceLabel', 'clientId'),
    currency_code: 'USD',
    reference_label: 'Order',
    client_id: application.clientId,
  })),
  withFields('no fields at all', () => without(...Object.keys(orderOf({ clientId: '' })))),
  withFields('a number as the reference', () => ({ reference: 1001 })),
  withFields('neither clientId nor siteId', () => without('clientId')),
  withFields('the application id under a name of its own', ({ application }) => ({
    ...without('clientId'),
    paymentApplicationId: application.id,
  })),
  withFields('the application id as the clientId', ({ application }) => ({ clientId: application.id })),
  withFields('the site id as the clientId', ({ application }) => ({ clientId: application.site.id })),
  withFields('the id of the OAuth client as the clientId', ({ owner }) => ({ clientId: owner.clientId })),
  withFields('the client token as the clientId', ({ application }) => ({
    clientId: application.clientToken,
  })),
  withFields('the clientId as the siteId', ({ application }) => ({
    ...without('clientId'),
    siteId: application.clientId,
  })),
  withFields('the application id as the siteId', ({ application }) => ({
    ...without('clientId'),
    siteId: application.id,
  })),
  withFields("the clientId of the merchant's other application, by client token", ({ otherApplication }) => ({
    clientId: otherApplication.clientId,
  })),
  withFields('clientId and siteId of two applications', ({ otherApplication }) => ({
    siteId: otherApplication.site.id,
  })),
  {
    title: 'the clientId of a deleted application',
    request: ({ owner, deletedApplication }) => ({
      method: 'POST',
      path: '/api/payment/checkout',
      headers: bearer(owner.accessToken),
      body: orderOf(deletedApplication),
    }),
  },
  withFields('a redirectUrl without https', () => ({ redirectUrl: 'shop.example.com/thanks' })),
  withFields('a redirectUrl that is a path', () => ({ redirectUrl: '/thanks' })),
  withFields('expiresAt as Unix seconds', () => ({ expiresAt: 1_900_000_000 })),
  withFields('expiresAt without a time zone', () => ({ expiresAt: '2027-01-01T00:00:00' })),
  withFields('expiresAt as a date', () => ({ expiresAt: '2027-01-01' })),
  withFields('expiresAt in the past', () => ({ expiresAt: '2020-01-01T00:00:00Z' })),
  withFields('expiresAt as a duration', () => ({ expiresAt: '15m' })),
  withFields('a currency code as the blockchainSlug', () => ({ blockchainSlug: 'ETH' })),
  withFields('the name of a chain as the blockchainSlug', () => ({ blockchainSlug: 'Ethereum' })),
  withFields('a token standard as the blockchainSlug', () => ({ blockchainSlug: 'erc20' })),
  withFields('a blockchainSlug that this gateway knows and does not watch', () => ({
    blockchainSlug: 'bitcoin',
  })),
  withFields('a product number as the productId', () => ({ productId: 'SKU-42' })),
  withFields('an unknown settlement currency', () => ({ settlementCurrencyCode: 'EURO' })),
];

export const CHECKOUT_BYTES: Mistake[] = [
  withBody('a trailing comma', (order) => JSON.stringify(order).replace('}', ',}')),
  withBody('single quotes', (order) => JSON.stringify(order).replaceAll('"', "'")),
  withBody('names without quotes', (order) => JSON.stringify(order).replace('"amount"', 'amount')),
  withBody('a form where JSON is announced', asForm),
  withBody('a comment in the JSON', (order) => `// an order\n${JSON.stringify(order)}`),
  withBody('undefined as the body', () => 'undefined'),
  withBody('[object Object] as the body', () => '[object Object]'),
  withBody('a body that was cut off', (order) => JSON.stringify(order).slice(0, -20)),
  withBody('a body in Latin-1', (order) =>
    Buffer.from(JSON.stringify({ ...order, referenceLabel: 'Größe M' }), 'latin1'),
  ),
  withBody('JSON that was encoded twice', (order) => JSON.stringify(JSON.stringify(order))),
  withBody('the order in an array', (order) => JSON.stringify([order])),
  withBody('the order below data', (order) => JSON.stringify({ data: order })),
  withBody('an empty body', () => ''),
  withBody('a form', asForm, 'application/x-www-form-urlencoded'),
  withBody('JSON as text/plain', (order) => JSON.stringify(order), 'text/plain'),
  withBody('JSON without a content type', (order) => Buffer.from(JSON.stringify(order)), null),
  withBody(
    'JSON in UTF-16',
    (order) => Buffer.from(JSON.stringify(order), 'utf16le'),
    'application/json; charset=utf-16',
  ),
  withBody('a body of 100 kB', (order) => JSON.stringify({ ...order, description: 'x'.repeat(100_000) })),
];
