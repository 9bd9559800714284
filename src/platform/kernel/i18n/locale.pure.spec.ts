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
    ['zh', 'zh-Hans'],
    ['ZH-hans-cn', 'zh-Hans'],
    ['zh-SG', 'zh-Hans'],
    ['zh-Hans-HK', 'zh-Hans'],
    ['cmn', 'zh-Hans'],
    ['zh-cmn-Hans', 'zh-Hans'],
    ['zh-CHS', 'zh-Hans'],
    ['zh_CN.UTF-8', 'zh-Hans'],
    ['zh-Hant', null],
    ['zh-TW', null],
    ['zh_TW', null],
    ['zh-HK', null],
    ['zh-MO', null],
    ['ZH-hant-CN', null],
    ['zh-cmn-Hant', null],
    ['zh-CHT', null],
    ['yue', null],
    ['zh-yue', null],
    ['zh-min-nan', null],
    ['hi-Latn', null],
    ['hi-IN', 'hi'],
    ['ru-Latn', null],
    ['fa-AF', 'fa'],
    ['fa-Cyrl', null],
    ['ar-Latn-MA', null],
    ['de-1996', 'de'],
    ['de-Latn-CH', 'de'],
    ['de-u-co-phonebk', 'de'],
    ['de_DE@euro', 'de'],
    ['in', 'id'],
    ['in-ID', 'id'],
    ['pt_BR', 'pt-BR'],
    ['iw', null],
    ['he', null],
    ['no', null],
    ['nb', null],
    ['nn-NO', null],
    ['sr-Latn', null],
    ['sr', null],
    ['fil', null],
    ['es-419', 'es'],
    ['en-XA', 'en'],
    ['english', null],
    ['de-', null],
    ['d', null],
    ['x-de', null],
    ['und', null],
    [`de-${'x'.repeat(100)}`, null],
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
  const of = (acceptLanguage: string) => ({ ...nothing, acceptLanguage });

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
    ['the next language of a reader of Traditional Chinese', of('zh-TW,de;q=0.5'), 'de'],
    ['no bare Chinese after Traditional Chinese', of('zh-TW,zh;q=0.9,en-US;q=0.8,en;q=0.7'), 'en'],
    ['no bare Chinese after Hong Kong', of('zh-HK,zh;q=0.9,ja;q=0.1'), 'ja'],
    ['simplified Chinese of those who name it too', of('zh-TW,zh-CN;q=0.9,en;q=0.8'), 'zh-Hans'],
    ['simplified Chinese by bare Chinese', of('zh;q=0.9,zh-TW;q=0.8,en;q=0.7'), 'zh-Hans'],
    ['weights in capitals, with blanks and of many digits', of('de;Q=0.1, fr ; q = 0.11119 ,it;q=.5'), 'it'],
    ['no weight above one', of('de;q=1.5,fr;q=0.1'), 'fr'],
    ['no empty weight', of('de;q=,fr;q=0.1'), 'fr'],
    ['other parameters for none', of('de;level=1,fr;q=0.9'), 'de'],
    ['empty entries for none', of(',, ,fr'), 'fr'],
    ['any language as the application prefers', { ...of('*'), application: 'it' as const }, 'it'],
    ['any language as English', of('sv, *;q=0.5, de;q=0.1'), 'en'],
    ['any language but one that is refused', of('en;q=0, *'), 'es'],
    [
      'any language but those that are named',
      { ...of('*;q=0.9, it;q=0.1'), application: 'it' as const },
      'en',
    ],
    ['a former code', of('iw,in;q=0.5'), 'id'],
    ['a region range', of('pt-*;q=0.9'), 'pt-BR'],
    ['Portuguese of Portugal as that of Brazil', of('pt-PT,en;q=0.5'), 'pt-BR'],
    ['Norwegian for none', of('nb-NO,nb;q=0.9,no;q=0.8,nn;q=0.7,fr;q=0.1'), 'fr'],
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
