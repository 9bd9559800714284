import { readdirSync } from 'node:fs';
import { LOCALES as OF_PAGES } from '../../../src/platform/kernel/i18n/locale.pure.js';
import { localeOf, LOCALES } from './locales.pure.js';

it('has the languages of the pages that customers see', () => {
  expect(LOCALES).toEqual(OF_PAGES);
  const files = readdirSync(new URL('../../messages/dashboard/', import.meta.url));
  expect(files.toSorted()).toEqual(LOCALES.map((locale) => `${locale}.json`).toSorted());
});

it.each([
  ['pt-BR', 'pt-BR'],
  ['fa', 'fa'],
  ['', 'en'],
  ['xx', 'en'],
])('of a page in "%s" is %s', (lang, locale) => {
  expect(localeOf(lang)).toBe(locale);
});
