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

const RIGHT_TO_LEFT: readonly string[] = ['ar', 'fa'];

export function directionOf(locale: Locale): 'ltr' | 'rtl' {
  return RIGHT_TO_LEFT.includes(locale) ? 'rtl' : 'ltr';
}

/** The first of these language tags (RFC 5646) that we have: "de-AT" is German; English without any. */
export function chooseLocale(tags: readonly (string | null)[]): Locale {
  for (const tag of tags) {
    const text = tag?.trim().toLowerCase() ?? '';
    const found =
      LOCALES.find((locale) => locale.toLowerCase() === text) ??
      LOCALES.find((locale) => locale.toLowerCase().split('-')[0] === text.split('-')[0]);
    if (found) return found;
  }
  return 'en';
}
