import { canParseUrl } from '../../platform/web/contract/url.pure.js';

/** The link back to the merchant. */
export interface ShopLink {
  href: string;
  /** The host, shown beside the link so that its target is visible; punycode for international names. */
  host: string;
}

/**
 * The payment's `redirectUrl` with `paymentId` and `reference` appended, never a status, which merchants read from the
 * API (specification/checkout.md#hosted-page). Without one, the merchant's website. Only http(s) becomes a link.
 */
export function shopLink(
  { redirectUrl, siteUrl }: { redirectUrl: string | null; siteUrl: string | null },
  payment: { id: string; reference: string },
): ShopLink | null {
  const target = parseWebAddress(redirectUrl);
  if (!target) return toLink(parseWebAddress(siteUrl));
  const appended = new URLSearchParams({ paymentId: payment.id, reference: payment.reference }).toString();
  // Not searchParams.append(): that would re-encode the merchant's own parameters.
  target.search = target.search === '' ? appended : `${target.search}&${appended}`;
  return toLink(target);
}

function toLink(url: URL | null): ShopLink | null {
  return url && { href: url.href, host: url.host };
}

/** Parsed as browsers do: they drop control characters, so checking the prefix of the text would not be enough. */
function parseWebAddress(text: string | null): URL | null {
  if (text === null || !canParseUrl(text)) return null;
  const url = new URL(text);
  const isWeb = url.protocol === 'https:' || url.protocol === 'http:';
  return isWeb && url.username === '' && url.password === '' ? url : null;
}
