/** Whose logo it is, and its hash. */
interface Branded {
  id: string;
  site: { logoHash: string | null };
}

/** The folder of the pages of the checkout. */
const CHECKOUT = '/checkout/';

/** Where the logo of an application is; another logo has another address, so each one may be cached for good. */
export function logoUrl({ id, site }: Branded, baseUrl: string): string | null {
  return site.logoHash === null ? null : `${baseUrl}${CHECKOUT}assets/logo/${id}/${site.logoHash}`;
}

/** The same from a page of the checkout, which may be behind any proxy. */
export function logoFromPage(url: string): string {
  return url.slice(url.lastIndexOf(CHECKOUT) + CHECKOUT.length);
}
