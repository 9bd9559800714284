import { bindingName, bindingValue, MAX_BEGUN, readBindings, surplusOf } from './browser-binding.pure.js';

const MAC = `m1.k1.${'A'.repeat(43)}`;
const BEGUN = { uid: 'u-1_', begunAt: 1_700_000_000, mac: MAC };

describe('the cookie of a begun sign-in', () => {
  it('is set for one host alone where there is TLS', () => {
    expect(bindingName('u1', true)).toBe('__Host-oauth_binding-u1');
    expect(bindingName('u1', false)).toBe('oauth_binding-u1');
  });

  it.each([true, false])('is read as it was written, with TLS: %s', (isSecure) => {
    const pair = `${bindingName(BEGUN.uid, isSecure)}=${bindingValue(BEGUN)}`;
    expect(readBindings(`a=b; ${pair}; c`, isSecure)).toEqual([BEGUN]);
  });

  it.each([
    ['no cookie', undefined],
    ['the name without TLS', `oauth_binding-u1=${bindingValue(BEGUN)}`],
    ['the prefix that other hosts can set', `__Secure-oauth_binding-u1=${bindingValue(BEGUN)}`],
    ['no uid', `__Host-oauth_binding-=${bindingValue(BEGUN)}`],
    ['a long uid', `__Host-oauth_binding-${'u'.repeat(65)}=${bindingValue(BEGUN)}`],
    ['no MAC', '__Host-oauth_binding-u1=1700000000'],
    ['no time', `__Host-oauth_binding-u1=.${MAC}`],
    ['something behind it', `__Host-oauth_binding-u1=${bindingValue(BEGUN)}x`],
  ])('is not read from %s', (_what, header) => {
    expect(readBindings(header, true)).toEqual([]);
  });

  it('makes room for the next one by the oldest', () => {
    const begun = Array.from({ length: MAX_BEGUN + 1 }, (_none, n) => ({
      ...BEGUN,
      uid: `u${n}`,
      begunAt: n,
    }));
    expect(surplusOf(begun).map(({ uid }) => uid)).toEqual(['u1', 'u0']);
    expect(surplusOf(begun.slice(0, MAX_BEGUN - 1))).toEqual([]);
  });
});
