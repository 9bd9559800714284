import { callbackOf, callbackProblem } from './payment-callback.pure.js';
import { webhookUrlPolicy } from './webhook-url-policy.pure.js';

const SITE = { url: 'https://shop.example', callbackUrl: 'https://api.shop.example:8443/hook' };
const PRODUCTION = webhookUrlPolicy(true, []);
const DEVELOPMENT = webhookUrlPolicy(false, []);

describe('a callback URL of a payment', () => {
  it.each([
    ['the host of the website', 'https://shop.example/orders/17?token=x'],
    ['the host of the callback URL, on another port', 'https://api.shop.example/17'],
    ['the same host in other letters', 'https://SHOP.example/17'],
    ["the application's own", SITE.callbackUrl],
  ])('is allowed on %s', (_what, own) => {
    expect(callbackProblem(own, SITE, PRODUCTION)).toBeNull();
    expect(callbackOf(own, SITE)).toBe(own);
  });

  it.each([
    ['another host', 'https://evil.example/17'],
    ['a host below it', 'https://a.shop.example/17'],
    ['the host above it', 'https://example/17'],
    ['a host that begins alike', 'https://shop.example.evil.example/17'],
    ['a host that ends alike', 'https://myshop.example/17'],
    ['the host in the path', 'https://evil.example/shop.example'],
    ['the host in the query', 'https://evil.example/?https://shop.example'],
    ['the host with a dot behind it', 'https://shop.example./17'],
  ])('is rejected on %s', (_what, own) => {
    expect(callbackProblem(own, SITE, PRODUCTION)).toBe(
      "The callbackUrl field must be on the host of the application's url or callbackUrl: shop.example or api.shop.example.",
    );
    expect(callbackOf(own, SITE)).toBe(SITE.callbackUrl);
  });

  it('must pass the URL policy of all webhook URLs', () => {
    const site = { url: 'http://127.0.0.1:3000', callbackUrl: null };
    expect(callbackProblem('http://127.0.0.1:4000/hook', site, DEVELOPMENT)).toBeNull();
    expect(callbackProblem('http://127.0.0.1:4000/hook', site, PRODUCTION)).toBe(
      'The callbackUrl field must be an address that webhooks may go to: the URL is not https.',
    );
    expect(callbackProblem('https://127.0.0.1/hook', site, PRODUCTION)).toMatch(/not public \(loopback\)/);
  });

  it('compares international host names in their ASCII form', () => {
    const site = { url: 'https://bücher.example', callbackUrl: null };
    expect(callbackProblem('https://xn--bcher-kva.example/hook', site, PRODUCTION)).toBeNull();
  });

  it('is rejected when the application has no URL to compare with', () => {
    const nowhere = { url: null, callbackUrl: null };
    expect(callbackProblem('https://shop.example/17', nowhere, PRODUCTION)).toMatch(
      /needs an application with a url/,
    );
  });
});

describe('where events of a payment go', () => {
  const own = 'https://shop.example/17';
  it.each([
    ['nowhere without any URL', null, { url: 'https://shop.example', callbackUrl: null }, null],
    ["to the application's", null, SITE, SITE.callbackUrl],
    [
      "to the payment's own, also without another",
      own,
      { url: 'https://shop.example', callbackUrl: null },
      own,
    ],
    [
      "to the application's once it has left the host",
      own,
      { url: 'https://new.example', callbackUrl: 'https://new.example/hook' },
      'https://new.example/hook',
    ],
    [
      'nowhere once it has left the host for none',
      own,
      { url: 'https://new.example', callbackUrl: null },
      null,
    ],
  ])('%s', (_what, paymentsOwn, site, expected) => expect(callbackOf(paymentsOwn, site)).toBe(expected));
});
