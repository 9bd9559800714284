import { isOpenToOrigins, isPreflight } from './cors.js';

describe('isOpenToOrigins', () => {
  it.each([
    ['/api/payment', true],
    ['/api/payment-applications/1/wallets/evm', true],
    ['/api/checkout/payment/1', true],
    ['/API/Checkout/payment/1', true],
    ['/api/events/stream', true],
    ['/api/openapi.json', true],
    ['/api/currencies', true],
    ['/api/nothing', true],
    ['/api', true],
    ['/api/oauth/token', true],
    ['/api/oauth/revoke', true],
    ['/api/oauth/userinfo', true],
    ['/api/oauth/jwks', true],
    ['/api/oauth/.well-known/openid-configuration', true],
    ['/.well-known/oauth-authorization-server/api/oauth', true],
    ['/api/oauth/authorize', false],
    ['/api/oauth/authorize/abc', false],
    ['/API/OAuth/%61uthorize', false],
    ['/api/oauth/interaction/abc', false],
    ['/api/oauth/sign-out', false],
    ['/api/oauth/access-link', false],
    ['/api/oauth/introspect', false],
    ['/api/oauth/introspect/', false],
    ['/api/docs', false],
    ['/api/docs/start.js', false],
    ['/api/docsearch', true],
    ['/apis', false],
    ['/', false],
    ['/checkout/1', false],
    ['/refund/1', false],
    ['/metrics', false],
    ['/dashboard', false],
    ['/.well-known/other', false],
    ['/x/api/payment', false],
    ['/%', false],
  ])('%s: %s', (path, expected) => {
    expect(isOpenToOrigins(path)).toBe(expected);
  });
});

describe('isPreflight', () => {
  const headers = { origin: 'https://shop.example', 'access-control-request-method': 'GET' };
  it.each<[string, string, Record<string, string>, boolean]>([
    ['a preflight', 'OPTIONS', headers, true],
    ['OPTIONS without an origin', 'OPTIONS', { 'access-control-request-method': 'GET' }, false],
    ['OPTIONS of a form of its own', 'OPTIONS', { origin: 'https://shop.example' }, false],
    ['another method', 'GET', headers, false],
  ])('%s', (_what, method, given, expected) => {
    expect(isPreflight({ method, headers: given })).toBe(expected);
  });
});
