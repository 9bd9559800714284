import { bearerToken, classify } from './rate-limit-category.pure.js';

const ID = '0197e4a2-7c1f-7d3e-9a55-2b8f0c6d1e43';

describe('classify', () => {
  it.each([
    [`/api/checkout/payment/${ID}`, ID, false],
    [`/API/Checkout/Payment/${ID.toUpperCase()}/`, ID, false],
    [`/api/checkout/payment/%30${ID.slice(1)}`, ID, false],
    [`/api/checkout/${ID}/payment-methods`, ID, false],
    [`/api/checkout/payment/${ID}/provider//method/ETH`, ID, false],
    [`/checkout/${ID}`, ID, true],
    [`/checkout/${ID}/`, ID, true],
    [`/checkout/${ID}/more`, ID, false],
    ['/checkout/no-id', null, true],
    [`/refund/${ID}`, ID, true],
    [`/api/checkout/refund/${ID}`, ID, false],
    ['/api/checkout/payment/no-id', null, false],
    ['/api/checkout', null, false],
    ['/checkout/%ff', null, true],
  ])('%s is in the category checkout', (path, paymentId, isPage) =>
    expect(classify(path)).toEqual({ kind: 'checkout', paymentId, isPage }),
  );

  it.each(['/api/health/live', '/api/Health/ready', '/api/health'])('%s is not limited', (path) =>
    expect(classify(path)).toEqual({ kind: 'unlimited' }),
  );

  it.each([
    '/api/oauth',
    '/api/oauth/token',
    '/API/OAuth/nothing',
    '/.well-known/oauth-authorization-server/api/oauth',
  ])('%s belongs to the authorization server', (path) => expect(classify(path)).toEqual({ kind: 'oauth' }));

  it.each([
    '/api/o%61uth/token',
    '/api/oauths',
    '/.well-known/oauth-authorization-server/api/oauth/more',
    '/',
    '/dashboard',
    '/api',
    `/api/payment/${ID}`,
    '/api/payment/checkout',
    '/api/healthy',
    '/checkouts',
    '/api/payment/api/health/live',
    '/%',
  ])('%s has no category of its own', (path) => expect(classify(path)).toEqual({ kind: 'other' }));
});

describe('bearerToken', () => {
  it.each([
    ['Bearer abc', 'abc'],
    ['bearer abc', 'abc'],
    ['Bearer  abc', null],
    ['Bearer abc def', null],
    ['Bearer', null],
    ['Basic abc', null],
    [undefined, null],
  ])('of %p is %p', (header, token) => expect(bearerToken(header)).toBe(token));
});
