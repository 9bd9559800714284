import { isAddressedTo, refusalOfPost } from './request-origin.pure.js';

const ORIGINS = { shop: 'http://localhost:3001', gateway: 'http://localhost:3000' };

describe('isAddressedTo', () => {
  it.each([
    ['localhost:3001', true],
    ['localhost:3000', false],
    ['localhost', false],
    ['rebound.example:3001', false],
    ['127.0.0.1:3001', false],
    [undefined, false],
  ])('Host %s: %s', (host, expected) => {
    expect(isAddressedTo({ host }, ORIGINS)).toBe(expected);
  });
});

describe('refusalOfPost', () => {
  it.each([
    ['the shop', 'http://localhost:3001', 'same-origin', false],
    ['the shop, by a browser without Sec-Fetch-Site', 'http://localhost:3001', undefined, false],
    ['the front page, for its button', 'http://localhost:3000', 'same-site', true],
    ['the shop, for the same button', 'http://localhost:3001', 'same-origin', true],
  ])('takes a POST of %s', (_name, origin, site, isFromGateway) => {
    expect(refusalOfPost({ origin, 'sec-fetch-site': site }, ORIGINS, isFromGateway)).toBeNull();
  });

  it.each([
    ['without an Origin', undefined, undefined, true, /Origin header is missing/],
    ['of an opaque origin', 'null', 'cross-site', true, /Origin null/],
    ['of another website', 'https://evil.example', 'cross-site', true, /evil\.example/],
    ['of another program of this machine', 'http://localhost:8080', 'same-site', true, /localhost:8080/],
    [
      'of the front page, for a button that it does not have',
      'http://localhost:3000',
      'same-site',
      false,
      /3000/,
    ],
    ['with a scheme that is not the shop’s', 'https://localhost:3001', 'cross-site', false, /https/],
    ['whose site contradicts its origin', 'http://localhost:3001', 'cross-site', false, /Sec-Fetch-Site/],
    ['that was not sent by a page', 'http://localhost:3001', 'none', false, /Sec-Fetch-Site/],
  ])('refuses a POST %s', (_name, origin, site, isFromGateway, message) => {
    expect(refusalOfPost({ origin, 'sec-fetch-site': site }, ORIGINS, isFromGateway)).toMatch(message);
  });
});
