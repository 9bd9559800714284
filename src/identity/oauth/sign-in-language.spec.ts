import { languageInUrl, languageOf } from './sign-in-language.js';

describe('languageOf', () => {
  it.each<[string, string, unknown, string | undefined]>([
    ['the URL of the page', '/x?lang=en-XA', 'sv', undefined],
    ['the authorization request', '/x', 'sv en-XA', undefined],
    ['the authorization request in the URL', '/authorize?ui_locales=sv+en-XA', undefined, undefined],
  ])('takes %s', (_what, url, uiLocales, accepted) => {
    const { texts } = languageOf({ url, headers: { 'accept-language': accepted } }, uiLocales);
    expect(texts.locale).toBe('en-XA');
  });

  it.each([undefined, '', 'sv', ['de'], 7])('is English when ui_locales is %j', (uiLocales) => {
    const { texts } = languageOf({ url: '/x?lang=__proto__', headers: {} }, uiLocales);
    expect(texts.locale).toBe('en');
  });

  it('links to the same page in another language', () => {
    const { languageLink } = languageOf({ url: '/x?a=1&lang=en', headers: {} });
    expect(languageLink?.('ar')).toBe('?a=1&lang=ar');
  });
});

it('languageInUrl', () => {
  expect(languageInUrl({ url: '/x?lang=pt' })).toBe('pt-BR');
  expect(languageInUrl({ url: '/x?lang=sv' })).toBeNull();
  expect(languageInUrl({ url: '/x' })).toBeNull();
});
