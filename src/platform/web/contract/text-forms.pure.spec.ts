import { isCleanText, isHttpUrl } from './text-forms.pure.js';

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

describe('isCleanText', () => {
  it.each([
    ['', true],
    ['a💰\u202e\n', true],
    ['\0', false],
    ['\ud83d', false],
    ['\udcb0\ud83d', false],
  ])('%p: %p', (text, clean) => expect(isCleanText(text)).toBe(clean));
});
