/** The languages of the pages that customers see, English first (specification/checkout.md#languages). */
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

/** Each language in its own words, for people who look for theirs. */
export const LANGUAGE_NAMES: Readonly<Record<Locale, string>> = {
  en: 'English',
  es: 'Español',
  fr: 'Français',
  de: 'Deutsch',
  'pt-BR': 'Português (Brasil)',
  it: 'Italiano',
  nl: 'Nederlands',
  pl: 'Polski',
  ru: 'Русский',
  tr: 'Türkçe',
  ar: 'العربية',
  fa: 'فارسی',
  hi: 'हिन्दी',
  id: 'Bahasa Indonesia',
  ja: '日本語',
  'zh-Hans': '简体中文',
};

/** English with accents and a third longer: shows texts that were never translated, and places that are too narrow. */
export const PSEUDO_LOCALE = 'en-XA';
export type PageLocale = Locale | typeof PSEUDO_LOCALE;

const RIGHT_TO_LEFT: readonly string[] = ['ar', 'fa'];
/** Languages of `Accept-Language` that are looked at. */
const MAX_ACCEPTED = 20;

export type Direction = 'ltr' | 'rtl';

export function directionOf(locale: PageLocale): Direction {
  return RIGHT_TO_LEFT.includes(locale) ? 'rtl' : 'ltr';
}

export interface LocaleWishes {
  /** `?lang=` of the page, unchecked. */
  lang: unknown;
  /** The header as the browser sent it. */
  acceptLanguage: string | undefined;
  /** The default language of the application; null: none is set. */
  application: Locale | null;
}

/** The first that we have: what the URL asks for, what the browser accepts, what the application prefers; English. */
export function chooseLocale({ lang, acceptLanguage, application }: LocaleWishes): PageLocale {
  return findFirst([lang]) ?? findAccepted(acceptLanguage ?? '') ?? application ?? 'en';
}

/** What a language tag (RFC 5646) names: "de-AT" is German, "zh-CN" Chinese; null for a language that we do not have. */
export function findLocale(tag: string): Locale | null {
  const text = tag.trim().toLowerCase();
  const exact = LOCALES.find((locale) => locale.toLowerCase() === text);
  if (exact) return exact;
  const [language = ''] = text.split('-');
  return LOCALES.find((locale) => locale.toLowerCase().split('-')[0] === language) ?? null;
}

/** The first of unchecked language tags that we have; null: none. */
export function findFirst(tags: readonly unknown[]): PageLocale | null {
  for (const tag of tags) {
    const locale = typeof tag === 'string' ? findPageLocale(tag) : null;
    if (locale) return locale;
  }
  return null;
}

function findPageLocale(tag: string): PageLocale | null {
  return tag === PSEUDO_LOCALE ? PSEUDO_LOCALE : findLocale(tag);
}

/** The language with the highest weight that we have (RFC 9110, section 12.5.4). */
function findAccepted(header: string): Locale | null {
  const accepted = header.split(',', MAX_ACCEPTED).map((part, index) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = parameters.find((parameter) => parameter.startsWith('q='))?.slice(2) ?? '1';
    return { tag, weight: /^(0(\.\d{0,3})?|1(\.0{0,3})?)$/.test(weight) ? Number(weight) : 0, index };
  });
  const wanted = accepted
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.index - b.index);
  for (const { tag } of wanted) {
    const locale = findLocale(tag);
    if (locale) return locale;
  }
  return null;
}
