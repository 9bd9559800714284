import type { IncomingHttpHeaders } from 'node:http';
import { chooseLocale, findFirst } from '../../platform/kernel/i18n/locale.pure.js';
import { type LanguageLink, languageLinkOf } from '../../platform/kernel/i18n/request-texts.js';
import { type Texts, textsOf } from '../../platform/kernel/i18n/texts.js';

/** The language of a page, and the way to another one. */
export interface PageLanguage {
  texts: Texts;
  /** Null: the page offers no other language. */
  languageLink: LanguageLink | null;
}

/** The parts of a request that decide about the language. */
interface PageRequest {
  url?: string | undefined;
  headers: Pick<IncomingHttpHeaders, 'accept-language'>;
}

/**
 * What the page's URL asks for, then the authorization request, then the browser
 * (specification/authentication.md#language).
 * @param uiLocales `ui_locales` of the authorization request (OpenID Connect Core, section 3.1.2.1), unchecked
 */
export function languageOf(request: PageRequest, uiLocales?: unknown): PageLanguage {
  const query = queryOf(request);
  const wished = uiLocales ?? query['ui_locales'];
  const tags = typeof wished === 'string' ? wished.split(' ') : [];
  const locale = chooseLocale({
    lang: findFirst([query['lang'], ...tags]),
    acceptLanguage: request.headers['accept-language'],
    application: null,
  });
  return { texts: textsOf(locale), languageLink: languageLinkOf({ query }) };
}

/** The language that the page's URL asks for; null: none that we have. */
export function languageInUrl(request: Pick<PageRequest, 'url'>): string | null {
  return findFirst([queryOf(request)['lang']]);
}

function queryOf({ url = '' }: Pick<PageRequest, 'url'>): Record<string, string> {
  const start = url.indexOf('?');
  return start === -1 ? {} : Object.fromEntries(new URLSearchParams(url.slice(start)));
}
