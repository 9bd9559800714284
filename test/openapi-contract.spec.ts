import { ApplicationContract } from '../src/applications/applications.contract.js';
import { exampleOf } from '../src/platform/web/contract/contract.js';
import { EXAMPLE_PAYMENT } from '../src/payments/payment.contract.js';
import { Contract, type Exchange } from './support/contract/contract.js';

const contract = new Contract();
const EXAMPLE_APPLICATION = exampleOf(ApplicationContract, 'response');
const ID = '550e8400-e29b-41d4-a716-446655440000';
const PAYMENT = `/api/payment/${ID}`;
const NAME = 'GET /api/payment/{paymentId} (getPayment)';

function exchange(changes: Partial<Exchange> & { json?: unknown } = {}): Exchange {
  const { json = { data: EXAMPLE_PAYMENT }, headers = {}, ...rest } = changes;
  return {
    method: 'GET',
    target: PAYMENT,
    requestType: undefined,
    requestBody: null,
    status: 200,
    headers: { 'content-type': 'application/json; charset=utf-8', 'x-request-id': ID, ...headers },
    body: Buffer.from(typeof json === 'string' ? json : JSON.stringify(json)),
    ...rest,
  };
}

const refusal = (code: string) => ({ message: 'No', code, requestId: ID });
const withData = (changes: object) => ({ data: { ...EXAMPLE_PAYMENT, ...changes } });
const { userId: _left, ...withoutUser } = EXAMPLE_PAYMENT;

const GOOD: [string, Exchange][] = [
  ['an answer as documented', exchange()],
  ['a path in capitals, with a slash at the end', exchange({ target: `/API/payment/${ID}/?x=1` })],
  ['an absolute address', exchange({ target: `http://127.0.0.1:3000${PAYMENT}` })],
  ['HEAD without a body', exchange({ method: 'HEAD', json: '' })],
  ['a documented refusal', exchange({ status: 404, json: refusal('payment_not_found') })],
  [
    'an unknown path that is not found',
    exchange({ target: '/api/nothing', status: 404, json: refusal('not_found') }),
  ],
  [
    'an amount beyond 2^53, digit for digit',
    exchange({
      json: JSON.stringify({ data: EXAMPLE_PAYMENT }).replaceAll(
        /"(amount|atomic)":("?)10000\2(?=[,}])/g,
        '"$1":$21500000000000000001$2',
      ),
    }),
  ],
  [
    'unknown fields of a request',
    exchange({
      method: 'POST',
      target: '/api/payment-applications',
      status: 201,
      json: { data: EXAMPLE_APPLICATION },
      requestType: 'application/json',
      requestBody: Buffer.from('{"name":"Shop","secret":"s","color":"red"}'),
    }),
  ],
];

const BAD: [string, Exchange, string][] = [
  [
    'an unknown route',
    exchange({ target: '/api/nothing' }),
    'GET /api/nothing (no operation), 200: the route is not documented',
  ],
  [
    'an unknown method',
    exchange({ method: 'PUT' }),
    `PUT ${PAYMENT} (no operation), 200: the route is not documented`,
  ],
  [
    'a 405 without Allow',
    exchange({ method: 'PUT', status: 405, json: refusal('method_not_allowed') }),
    `PUT ${PAYMENT} (no operation), 405: the header Allow is missing`,
  ],
  [
    'an unknown status',
    exchange({ status: 409, json: refusal('application_deleted') }),
    `${NAME}, 409: the code application_deleted is not documented`,
  ],
  [
    'an unknown code',
    exchange({ status: 404, json: refusal('payment_method_not_found') }),
    `${NAME}, 404: the code payment_method_not_found is not documented`,
  ],
  [
    'another content type',
    exchange({ headers: { 'content-type': 'text/plain' } }),
    `${NAME}, 200: the content type text/plain is not documented`,
  ],
  ['no body', exchange({ json: '' }), `${NAME}, 200: the body is empty, documented are application/json`],
  ['no JSON', exchange({ json: '{' }), `${NAME}, 200: the body is no JSON: unexpected end at position 1`],
  [
    'an unknown field',
    exchange({ json: withData({ color: 'red' }) }),
    `${NAME}, 200: $.data must NOT have additional properties (color)`,
  ],
  [
    'a field too few',
    exchange({ json: { data: withoutUser } }),
    `${NAME}, 200: $.data must have required property 'userId'`,
  ],
  [
    'an unknown status of a payment',
    exchange({ json: withData({ status: 'LOST' }) }),
    `${NAME}, 200: $.data.status must be equal to one of the allowed values, found "LOST"`,
  ],
  [
    'a time with fractions',
    exchange({ json: withData({ date: '2026-01-15T10:00:00.000Z' }) }),
    `${NAME}, 200: $.data.date must match pattern "^\\d{4}-\\d{2}-\\d{2}T\\d{2}:\\d{2}:\\d{2}Z$", found "2026-01-15T10:00:00.000Z"`,
  ],
  [
    'amounts that differ in the last digit',
    exchange({
      json: JSON.stringify({ data: EXAMPLE_PAYMENT })
        .replace('"amount":10000', '"amount":1500000000000000001')
        .replace('"atomic":"10000"', '"atomic":"1500000000000000000"'),
    }),
    `${NAME}, 200: $.data.receivedAmount has amount 1500000000000000001 and atomic 1500000000000000000`,
  ],
  [
    'a missing header',
    exchange({ headers: { 'x-request-id': undefined as never } }),
    `${NAME}, 200: the header X-Request-Id is missing`,
  ],
  [
    'an unknown header that means something',
    exchange({ headers: { etag: '"1"' } }),
    `${NAME}, 200: the header etag is not documented`,
  ],
  [
    'a malformed header',
    exchange({ headers: { 'x-request-id': 'one' } }),
    `${NAME}, 200: the header X-Request-Id: $ must match format "uuid", found "one"`,
  ],
  [
    'a request that was taken against the document',
    exchange({
      method: 'POST',
      target: '/api/payment-applications',
      status: 201,
      json: { data: EXAMPLE_APPLICATION },
      requestType: 'application/json',
      requestBody: Buffer.from('{"name":"ab","secret":"s"}'),
    }),
    'POST /api/payment-applications (createPaymentApplication), 201: accepted a body that is documented as wrong: $.name must NOT have fewer than 3 characters, found "ab"',
  ],
];

describe('the contract', () => {
  it.each(GOOD)('accepts %s', (_name, good) => {
    expect(contract.check(good)).toEqual([]);
  });

  it.each(BAD)('reports %s', (_name, bad, problem) => {
    expect(contract.check(bad)).toEqual([problem]);
  });

  it('reports webhooks that are unknown, unsigned or not as documented', () => {
    const event = {
      id: ID,
      event: 'payment.received',
      createdAt: '2026-01-15T10:20:00Z',
      payment: EXAMPLE_PAYMENT,
    };
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': '1768472400',
      'webhook-signature': `v1,${'A'.repeat(43)}=`,
      'x-paymentservice-event': 'payment.received',
      'x-paymentservice-timestamp': '1768472400',
      'x-paymentservice-signature': 'a'.repeat(64),
      'user-agent': 'crypto-payment-gateway/1',
    };
    const check = (changed: object, body: object) =>
      contract.checkWebhook({ headers: { ...headers, ...changed }, body: Buffer.from(JSON.stringify(body)) });
    expect(check({}, event)).toEqual([]);
    expect(check({ 'x-paymentservice-event': 'payment.lost' }, event)).toEqual([
      'webhook payment.lost: it is not documented',
    ]);
    expect(check({ 'webhook-signature': undefined }, event)).toEqual([
      'webhook payment.received: the header webhook-signature is missing',
    ]);
    expect(check({}, { ...event, color: 'red' })).toEqual([
      'webhook payment.received: $ must NOT have additional properties (color)',
    ]);
  });
});
