import { shownBody, shownKey, shownPath } from './logged-request.pure.js';

const TOKEN = `pct_${'a'.repeat(40)}`;

describe('shownPath', () => {
  it.each([
    ['/api/payment', '/api/payment'],
    ['/api/payment?status=OPEN&reference=A%201', '/api/payment?status=OPEN&reference=A%201'],
    ['/api/payment?', '/api/payment?'],
    ['/api/payment?a=1?b=2', '/api/payment?a=1?b=2'],
    ['/api/checkout?signature=abc&lang=de', '/api/checkout?signature=[redacted]&lang=de'],
    ['/api/x?access_token=abc', '/api/x?access_token=[redacted]'],
    ['/api/x?%73ecret=abc', '/api/x?%73ecret=[redacted]'],
    ['/api/x?client-secret=abc&password', '/api/x?client-secret=[redacted]&password=[redacted]'],
    [`/api/${TOKEN}`, '/api/pct_[redacted]'],
    [`/api/x?q=${TOKEN}`, '/api/x?q=pct_[redacted]'],
    ['/api/x?q=whsec_abcdef', '/api/x?q=whsec_[redacted]'],
    ['/api/x?%=1', '/api/x?%=1'],
    ['', ''],
  ])('%s', (url, shown) => expect(shownPath(url)).toBe(shown));

  it('ends a long one, and names no secret by its first part', () => {
    const shown = shownPath(`/api/${'x'.repeat(480)}?token=${'s'.repeat(600)}`);
    expect(shown).toHaveLength('/api/'.length + 480 + '?token=[redacted]'.length);
    expect(shownPath(`/api/${'x'.repeat(600)}`)).toBe(`/api/${'x'.repeat(506)}…`);
  });
});

describe('shownBody', () => {
  it('is the JSON as it was answered, without secrets', () => {
    expect(shownBody(null)).toBeNull();
    expect(shownBody({ code: 'x', amount: 10n ** 20n })).toBe('{"code":"x","amount":100000000000000000000}');
    expect(shownBody({ message: `not ${TOKEN}` })).toBe('{"message":"not pct_[redacted]"}');
    expect(shownBody({ message: 'x'.repeat(5_000) })).toHaveLength(2_048);
  });
});

it('shortens a key, and takes a token out of it', () => {
  expect(shownKey(null)).toBeNull();
  expect(shownKey('order-1')).toBe('order-1');
  expect(shownKey(TOKEN)).toBe('pct_[redacted]');
  expect(shownKey('k'.repeat(300))).toHaveLength(255);
});
