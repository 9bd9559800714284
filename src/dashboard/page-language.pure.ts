import { chooseLocale, findLocale, type Locale } from '../platform/kernel/i18n/locale.pure.js';

/** Written by the menu of languages (web/dashboard/i18n/stored-locale.ts). */
const COOKIE = 'dashboard_locale';

interface PageRequest {
  cookie: string | undefined;
  acceptLanguage: string | undefined;
}

/** What was chosen in this browser, then what it accepts; English. */
export function pageLanguage({ cookie, acceptLanguage }: PageRequest): Locale {
  const pairs = (cookie ?? '').split(';').map((pair) => pair.trim().split('='));
  const chosen = findLocale(pairs.find(([name]) => name === COOKIE)?.[1] ?? '');
  const accepted = chooseLocale({ lang: undefined, acceptLanguage, application: null });
  return chosen ?? findLocale(accepted) ?? 'en';
}
