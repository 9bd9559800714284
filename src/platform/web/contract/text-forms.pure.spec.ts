import { isCleanText, isHttpUrl, parseInstant } from './text-forms.pure.js';

describe('isHttpUrl', () => {
  it.each([
    'https://shop.example',
    'http://localhost:3000/x',
    'https://bücher.example/ü?q=1#f',
    'https://a.example?x=@',
  ])('accepts %p', (text) => expect(isHttpUrl(text)).toBe(true));

  it.each([
    '',
    'shop.example',
    '//evil.example',
    '/path',
    'https:evil.example',
    'https:\\\\evil.example',
    'https://',
    'javascript:alert(1)',
    '\u0001javascript:alert(1)',
    'java\nscript:alert(1)',
    'data:text/html,x',
    'https://user@a.example',
    'https://user:pw@a.example',
    'https://@a.example',
    'ftp://a.example',
    'file:///etc',
    'https://a.example/a b',
    ' https://a.example',
    'https://a.example\r\nX: 1',
    'https://a.exa\tmple',
    'https://a.example:99999',
    'https://[::1',
    'https://a.example/\0',
    'https://a.example/\ud800',
    'https://%',
  ])('rejects %p', (text) => expect(isHttpUrl(text)).toBe(false));

  it('requires https with the option', () => {
    expect(isHttpUrl('HTTPS://a.example', true)).toBe(true);
    expect(isHttpUrl('http://a.example', true)).toBe(false);
  });
});

describe('parseInstant', () => {
  it.each([
    ['2026-06-31T00:00:00Z'],
    ['2025-02-29T00:00:00Z'],
    ['2026-13-01T00:00:00Z'],
    ['2026-01-01T24:00:00Z'],
    ['2026-01-01T00:60:00Z'],
    ['2026-01-01T00:00:60Z'],
    ['2026-01-01T00:00:00+24:00'],
    ['2026-01-01T00:00:00'],
    ['2026-01-01 00:00:00Z'],
    ['9999-12-31T23:59:59-10:00'],
    ['0000-01-01T00:00:00Z'],
    ['+020000-01-01T00:00:00Z'],
    ['2026-01-01T00:00:00Z\n'],
  ])('rejects %p', (text) => expect(parseInstant(text)).toBeNull());

  it.each([
    ['2024-02-29T23:59:59Z', '2024-02-29T23:59:59.000Z'],
    ['2026-01-01T00:30+01:00', '2025-12-31T23:30:00.000Z'],
    ['2026-01-01T00:00:00.123456789Z', '2026-01-01T00:00:00.123Z'],
  ])('reads %p', (text, iso) => expect(parseInstant(text)?.toISOString()).toBe(iso));
});

describe('isCleanText', () => {
  it.each([
    ['', true],
    ['a💰\u202e\n', true],
    ['\0', false],
    ['\ud83d', false],
    ['\udcb0\ud83d', false],
  ])('%p: %p', (text, clean) => expect(isCleanText(text)).toBe(clean));
});
