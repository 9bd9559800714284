import type { IncomingHttpHeaders } from 'node:http';
import { chooseLocale, type Locale } from './locale.pure.js';
import { type Texts, textsOf } from './texts.js';

/** The parts of a request that decide what its page shows. */
export interface PageRequest {
  headers: Pick<IncomingHttpHeaders, 'accept-language'>;
  /** Parsed, unchecked. */
  query: Readonly<Record<string, unknown>>;
}

/**
 * The texts of a page in the language that the customer asks for.
 * @param application its default language; null: none is set, or the application is unknown
 */
export function textsOfRequest({ headers, query }: PageRequest, application: Locale | null = null): Texts {
  return textsOf(
    chooseLocale({ lang: query['lang'], acceptLanguage: headers['accept-language'], application }),
  );
}

/** A page in another language: its URL for a language tag. */
export type LanguageLink = (language: string) => string;

/** The same page with the rest of its query, the signature for one; relative, so that it works behind any proxy. */
export function languageLinkOf({ query }: Pick<PageRequest, 'query'>): LanguageLink {
  const kept = Object.entries(query).flatMap(([name, value]) =>
    typeof value === 'string' && name !== 'lang' ? [[name, value] as [string, string]] : [],
  );
  return (language) => `?${new URLSearchParams([...kept, ['lang', language]]).toString()}`;
}

/** What a signed link consists of, as the gateway writes it. */
const SIGNED = { expires: /^\d{1,15}$/, signature: /^[\da-f]{1,64}$/ };

/** The same of an address that was refused: its links repeat nothing but what looks like ours. */
export function languageLinkOfRefused({ query }: Pick<PageRequest, 'query'>): LanguageLink {
  const kept = Object.entries(SIGNED).filter(([name, form]) => {
    const value = query[name];
    return typeof value === 'string' && form.test(value);
  });
  return languageLinkOf({ query: Object.fromEntries(kept.map(([name]) => [name, query[name]])) });
}
