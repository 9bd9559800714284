import { chooseLocale, directionOf, findLocale } from './locale.pure.js';

describe('findLocale', () => {
  it.each([
    ['en', 'en'],
    ['EN-us', 'en'],
    ['de-AT', 'de'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['zh-CN', 'zh-Hans'],
    ['zh-Hans', 'zh-Hans'],
    [' fr ', 'fr'],
    ['sv', null],
    ['', null],
    ['*', null],
    ['__proto__', null],
  ])('finds %j as %j', (tag, locale) => {
    expect(findLocale(tag)).toBe(locale);
  });
});

describe('chooseLocale', () => {
  const nothing = { lang: undefined, acceptLanguage: undefined, application: null };

  it.each([
    ['English when nothing is asked for', nothing, 'en'],
    ['the URL before everything', { lang: 'ar', acceptLanguage: 'de', application: 'fr' as const }, 'ar'],
    ['the pseudo-locale only by the URL', { ...nothing, lang: 'en-XA' }, 'en-XA'],
    [
      'the browser when the URL asks for an unknown language',
      { ...nothing, lang: 'xx', acceptLanguage: 'de' },
      'de',
    ],
    [
      'the browser when the URL repeats the parameter',
      { ...nothing, lang: ['de', 'fr'], acceptLanguage: 'it' },
      'it',
    ],
    [
      'the browser before the application',
      { ...nothing, acceptLanguage: 'nl', application: 'fr' as const },
      'nl',
    ],
    ['the highest weight', { ...nothing, acceptLanguage: 'de;q=0.5, ja;q=0.8, fr;q=0.7' }, 'ja'],
    ['the first of equal weights', { ...nothing, acceptLanguage: 'sv, tr, pl' }, 'tr'],
    ['no language with a weight of zero', { ...nothing, acceptLanguage: 'de;q=0, it;q=0.1' }, 'it'],
    ['no language with a weight that is no number', { ...nothing, acceptLanguage: 'de;q=x, it' }, 'it'],
    [
      'the application when the browser accepts none that we have',
      { ...nothing, acceptLanguage: 'sv, *', application: 'hi' as const },
      'hi',
    ],
  ])('takes %s', (_title, wishes, locale) => {
    expect(chooseLocale(wishes)).toBe(locale);
  });

  it('looks at no more than twenty languages of a header', () => {
    expect(chooseLocale({ ...nothing, acceptLanguage: `${'sv,'.repeat(20)}de` })).toBe('en');
  });
});

describe('directionOf', () => {
  it.each([
    ['ar', 'rtl'],
    ['fa', 'rtl'],
    ['en', 'ltr'],
    ['en-XA', 'ltr'],
  ] as const)('is of %s %s', (locale, direction) => {
    expect(directionOf(locale)).toBe(direction);
  });
});
