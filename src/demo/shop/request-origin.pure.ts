import type { IncomingHttpHeaders } from 'node:http';

/** Who may send what to the demo shop. */
export interface ShopOrigins {
  /** The shop's own. */
  shop: string;
  /** The gateway's, whose front page has a button of the shop. */
  gateway: string;
}

/**
 * Whether a request was addressed to the shop by its own name. A name of somebody else that resolves to this machine
 * would make a foreign page the shop's own in the eyes of a browser (DNS rebinding), and the shop shows tokens.
 */
export function isAddressedTo(headers: IncomingHttpHeaders, { shop }: ShopOrigins): boolean {
  return headers.host === new URL(shop).host;
}

/**
 * Why a POST is refused, or null. The shop's pages have no sign-in, so another page in the developer's browser must not
 * be able to press their buttons.
 * @param isFromGateway the button is also on the gateway's front page
 */
export function refusalOfPost(
  headers: IncomingHttpHeaders,
  { shop, gateway }: ShopOrigins,
  isFromGateway: boolean,
): string | null {
  const origins = isFromGateway ? [shop, gateway] : [shop];
  const { origin, 'sec-fetch-site': site } = headers;
  if (origin === undefined) return 'The Origin header is missing: these buttons are for browsers.';
  if (!origins.includes(origin)) return `The Origin ${origin} is not ${origins.join(' or ')}.`;
  // Browsers that send it know better than any list; a port is no part of a site.
  const allowed = isFromGateway ? ['same-origin', 'same-site'] : ['same-origin'];
  if (site !== undefined && !allowed.includes(String(site))) return `Sec-Fetch-Site is ${String(site)}.`;
  return null;
}
