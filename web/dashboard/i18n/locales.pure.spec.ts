import { readdirSync } from 'node:fs';
import { LOCALES as OF_PAGES } from '../../../src/platform/i18n/locale.pure.js';
import { chooseLocale, directionOf, LOCALES } from './locales.pure.js';

it('has the languages of the pages that customers see', () => {
  expect(LOCALES).toEqual(OF_PAGES);
  const files = readdirSync(new URL('../../messages/dashboard/', import.meta.url));
  expect(files.toSorted()).toEqual(LOCALES.map((locale) => `${locale}.json`).toSorted());
});

it.each([
  [[], 'en'],
  [[null, ''], 'en'],
  [['xx', 'de-AT'], 'de'],
  [['pt'], 'pt-BR'],
  [['zh-CN'], 'zh-Hans'],
  [['EN-us', 'de'], 'en'],
  [[null, 'fa', 'en'], 'fa'],
])('of %j chooses %s', (tags, locale) => {
  expect(chooseLocale(tags)).toBe(locale);
});

it('writes Arabic and Persian from right to left', () => {
  expect([directionOf('ar'), directionOf('fa'), directionOf('de')]).toEqual(['rtl', 'rtl', 'ltr']);
});
