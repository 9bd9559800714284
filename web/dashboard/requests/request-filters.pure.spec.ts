import { adviceIn, laidOut, paymentIn, requestFilters, requestIdIn } from './request-filters.pure.js';

const ID = '4f0c2f4e-6b7a-4c1d-9e2f-3a4b5c6d7e8f';

it.each([
  ['', { limit: 50 }],
  ['status=4xx', { limit: 50, status: '4xx' }],
  ['status=422', { limit: 50 }],
  ['method=POST', { limit: 50, method: 'POST' }],
  ['method=post', { limit: 50 }],
  [`application=${ID}`, { limit: 50, paymentApplicationId: ID }],
  [
    `token=${ID}&path=/api/payment&request=x&after=c`,
    { limit: 50, tokenId: ID, path: '/api/payment', requestId: 'x', after: 'c' },
  ],
  ['from=2026-11-30', { limit: 50, since: new Date(2026, 10, 30).toISOString() }],
  ['from=yesterday', { limit: 50 }],
])('%s asks for %j', (query, filters) => {
  expect(requestFilters(new URLSearchParams(query))).toEqual(filters);
});

it.each([
  [ID, ID],
  [` ${ID.toUpperCase()}\n`, ID],
  [`X-Request-Id: ${ID}`, ID],
  [`{"code":"not_found","requestId":"${ID}"}`, ID],
  [' 4711 ', '4711'],
  ['', ''],
])('in %j is %s', (pasted, id) => expect(requestIdIn(pasted)).toBe(id));

it('lays out a body, and leaves one that was cut as it is', () => {
  expect(laidOut('{"code":"x"}')).toBe('{\n  "code": "x"\n}');
  expect(laidOut('{"code":"x…')).toBe('{"code":"x…');
});

it.each([
  [`/api/payment/${ID}`, ID],
  [`/api/payment/${ID.toUpperCase()}/refunds?x=1`, ID],
  [`/api/payment/${ID}?x=1`, ID],
  ['/api/payment/checkout', null],
  ['/api/payment', null],
  [`/api/payment/x${ID}`, null],
  [`/api/payment-applications/${ID}`, null],
  [`/api/refunds?x=/api/payment/${ID}`, null],
  ['', null],
])('%s is about the payment %s', (path, id) => expect(paymentIn(path)).toBe(id));

it.each([
  ['{"hint":"Write it right."}', 'Write it right.'],
  ['{"code":"x"}', null],
  ['{"hint":7}', null],
  ['null', null],
  ['{"hint":"Wri…', null],
])('%s advises %s', (body, advice) => expect(adviceIn(body)).toBe(advice));
