import { cookieValue, isOnlySeenCookie } from './cookies.pure.js';

describe('cookieValue', () => {
  it.each([
    [undefined, ''],
    ['', ''],
    ['b=1', ''],
    ['a=1', '1'],
    ['b=2; a=1; c=3', '1'],
    ['b=2;a=1', '1'],
    ['a=1=2', '1=2'],
    ['xa=1', ''],
    ['a', ''],
  ])('of %j is %j', (header, value) => expect(cookieValue(header, 'a')).toBe(value));
});

describe('isOnlySeenCookie', () => {
  it.each([
    ['checkout_seen=1', true],
    ['__Secure-checkout_seen=1', true],
    ['checkout_seen=1; checkout_seen=2', true],
    ['checkout_seen=1; session=2', false],
    ['session=2;checkout_seen=1', false],
    ['xcheckout_seen=1', false],
    ['checkout_seen2=1', false],
    ['session=checkout_seen=1', false],
    ['', false],
  ])('of %j is %j', (header, isOnly) => expect(isOnlySeenCookie(header)).toBe(isOnly));
});
