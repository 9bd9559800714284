import { bearerToken, classify } from './rate-limit-category.pure.js';

const ID = '0197e4a2-7c1f-7d3e-9a55-2b8f0c6d1e43';

describe('classify', () => {
  it.each([
    [`/api/checkout/payment/${ID}`, ID, 'poll'],
    [`/API/Checkout/Payment/${ID.toUpperCase()}/`, ID, 'poll'],
    [`/api/checkout/payment/%30${ID.slice(1)}`, ID, 'poll'],
    [`/api/checkout/refund/${ID}`, ID, 'poll'],
    [`/checkout/${ID}/events`, ID, 'poll'],
    ['/checkout/assets/checkout.0123456789abcdef.js', null, 'poll'],
    [`/checkout/${ID}/part`, ID, 'page, poll'],
    [`/CHECKOUT/${ID}/Part/`, ID, 'page, poll'],
    [`/checkout/${ID}/choose`, ID, 'page'],
    [`/checkout/${ID}/transaction`, ID, 'page'],
    [`/api/checkout/payment/${ID}/transaction`, ID, ''],
    [`/checkout/${ID}`, ID, 'page'],
    [`/checkout/${ID}/`, ID, 'page'],
    ['/checkout/no-id', null, 'page'],
    [`/refund/${ID}`, ID, 'page'],
    [`/receipt/${ID}`, ID, 'page'],
    ['/checkout/%ff', null, 'page'],
    [`/api/checkout/${ID}/payment-methods`, ID, ''],
    [`/api/checkout/payment/${ID}/provider//method/ETH`, ID, ''],
    [`/checkout/${ID}/more`, ID, ''],
    [`/checkout/${ID}/events/more`, ID, ''],
    ['/api/checkout', null, ''],
  ])('%s is in the category checkout', (path, paymentId, kinds) =>
    expect(classify(path)).toEqual({
      kind: 'checkout',
      paymentId,
      isPage: kinds.includes('page'),
      isPoll: kinds.includes('poll'),
    }),
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
