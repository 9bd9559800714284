/** Read by the gateway, which chooses the language of the page (src/dashboard/page-language.pure.ts). */
const COOKIE = 'dashboard_locale';
const YEAR_SECONDS = 31_536_000;

/** Takes effect when the page is loaded again. */
export function storeLocale(locale: string): void {
  document.cookie = `${COOKIE}=${locale}; Path=/dashboard; Max-Age=${YEAR_SECONDS}; SameSite=Lax`;
}
