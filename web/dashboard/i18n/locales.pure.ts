/** The languages of web/messages/dashboard/, English first. */
export const LOCALES = [
  'en',
  'es',
  'fr',
  'de',
  'pt-BR',
  'it',
  'nl',
  'pl',
  'ru',
  'tr',
  'ar',
  'fa',
  'hi',
  'id',
  'ja',
  'zh-Hans',
] as const;
export type Locale = (typeof LOCALES)[number];

/** The language of the page, which the gateway has chosen. */
export function localeOf(lang: string): Locale {
  return LOCALES.find((locale) => locale === lang) ?? 'en';
}
