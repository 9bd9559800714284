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
  return findFirst([lang]) ?? findAccepted(acceptLanguage ?? '', application) ?? application ?? 'en';
}

/** Language and script of a tag, e.g. `zh-hant`, and whether the tag names the script, by itself or by its region. */
interface Written {
  language: string;
  script: string;
  isGeneric: boolean;
}

/** By tag, without case. Readings cost some microseconds each, and every page needs several. */
const READINGS = new Map<string, Written | null>();
const MAX_READINGS = 1_000;
const MAX_TAG = 35;
/** Forms of other systems: `pt_BR.UTF-8`, `zh-cmn-Hant`, and two names that .NET had for the scripts of Chinese. */
const OTHER_FORMS: readonly (readonly [form: RegExp, tag: string])[] = [
  [/_/g, '-'],
  [/[.@].*$/, ''],
  [/-\*/g, ''],
  [/^zh-cmn\b/, 'zh'],
  [/^zh-chs$/, 'zh-hans'],
  [/^zh-cht$/, 'zh-hant'],
];

/** Null: no language tag. Former codes are read as those of today (`in` as `id`), and scripts are those of CLDR. */
function readTag(tag: string): Written | null {
  const text = tag.trim().toLowerCase();
  if (text.length > MAX_TAG) return null;
  const known = READINGS.get(text);
  if (known !== undefined) return known;
  const reading = readTagAnew(OTHER_FORMS.reduce((form, [from, to]) => form.replace(from, to), text));
  if (READINGS.size >= MAX_READINGS) READINGS.clear();
  READINGS.set(text, reading);
  return reading;
}

function readTagAnew(text: string): Written | null {
  try {
    const { language, script, region } = new Intl.Locale(text);
    const likely = new Intl.Locale(text).maximize();
    return { language, script: likely.script ?? '', isGeneric: !script && !region };
  } catch (error) {
    // A text of another form, such as that of no language tag at all.
    if (error instanceof RangeError) return null;
    throw error;
  }
}

/** Each locale with its language and script: a reader of another script cannot read it, of another region can. */
const WRITTEN = LOCALES.map((locale) => ({ locale, written: readTag(locale) }));

function localeOf({ language, script }: Written): Locale | null {
  const found = WRITTEN.find(({ written }) => written?.language === language && written.script === script);
  return found?.locale ?? null;
}

/**
 * What a language tag (RFC 5646) names: "de-AT" is German, "zh-CN" simplified Chinese; null for a language, or a script
 * of one, that we do not have: "zh-TW" and "hi-Latn".
 */
export function findLocale(tag: string): Locale | null {
  const written = readTag(tag);
  return written && localeOf(written);
}

/** The first of unchecked language tags that we have; null: none. */
export function findFirst(tags: readonly unknown[]): PageLocale | null {
  const texts = tags.filter((tag) => typeof tag === 'string');
  // The pseudo-locale is for those who name it.
  const pseudo = texts.findIndex((tag) => tag === PSEUDO_LOCALE);
  const before = pseudo === -1 ? texts : texts.slice(0, pseudo);
  return inOrder(before).find((locale) => locale !== null) ?? (pseudo === -1 ? null : PSEUDO_LOCALE);
}

/**
 * What each of the tags names. A bare language that follows a tag in another script is that script too: browsers of
 * Taiwan send `zh-TW,zh;q=0.9,en;q=0.8`, and mean English after Traditional Chinese.
 */
function inOrder(tags: readonly string[]): (Locale | null)[] {
  const scripts = new Map<string, string>();
  return tags.map((tag) => {
    const written = readTag(tag);
    if (!written) return null;
    const { language, isGeneric } = written;
    const script = (isGeneric && scripts.get(language)) || written.script;
    if (!scripts.has(language)) scripts.set(language, script);
    return localeOf({ ...written, script });
  });
}

/** Lenient in what proxies write (`Q=0.5`, `q=0.12345`); null: no weight, so that the language does not count. */
function readWeight(parameters: readonly string[]): number | null {
  const weight = parameters.find((parameter) => /^q\s*=/i.test(parameter));
  if (weight === undefined) return 1;
  const [, number] = /^q\s*=\s*(0?(?:\.\d+)?|0\.|1(?:\.0*)?)$/i.exec(weight) ?? [];
  return number ? Number(number) : null;
}

/**
 * The language with the highest weight that we have (RFC 9110, section 12.5.4). `*` is any that the header does not
 * name: that of the application, or the first that is not refused by a weight of zero.
 */
function findAccepted(header: string, application: Locale | null): Locale | null {
  const ranges = header.split(',', MAX_ACCEPTED).flatMap((part, index) => {
    const [tag = '', ...parameters] = part.split(';').map((text) => text.trim());
    const weight = readWeight(parameters);
    return weight === null ? [] : [{ tag, weight, index }];
  });
  const wanted = ranges
    .filter(({ weight }) => weight > 0)
    .toSorted((a, b) => b.weight - a.weight || a.index - b.index)
    .map(({ tag }) => tag);
  const found = inOrder(wanted);
  const named = new Set(ranges.map(({ tag }) => findLocale(tag)));
  for (const [at, tag] of wanted.entries()) {
    const locale = tag === '*' ? [application, ...LOCALES].find((any) => any && !named.has(any)) : found[at];
    if (locale) return locale;
  }
  return null;
}
