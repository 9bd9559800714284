import { canParseUrl } from '../../platform/web/contract/url.pure.js';

/** The link back to the merchant. */
export interface ShopLink {
  href: string;
  /** The host, shown beside the link so that its target is visible; punycode for international names. */
  host: string;
}

/**
 * The payment's `redirectUrl` with `paymentId` and `reference` set, never a status, which merchants read from the
 * API (specification/checkout.md#hosted-page). Without one, the merchant's website. Only http(s) becomes a link.
 */
export function shopLink(
  { redirectUrl, siteUrl }: { redirectUrl: string | null; siteUrl: string | null },
  payment: { id: string; reference: string },
): ShopLink | null {
  const target = parseWebAddress(redirectUrl);
  if (!target) return toLink(parseWebAddress(siteUrl));
  const ours = { paymentId: payment.id, reference: payment.reference };
  // Not searchParams.set(): that would re-encode the merchant's own parameters. One that is there already has to go,
  // because some servers read the first of two, and others the last.
  const kept = target.search
    .slice(1)
    .split('&')
    .filter((parameter) => !Object.hasOwn(ours, nameOf(parameter)));
  const appended = new URLSearchParams(ours).toString();
  target.search = [...(kept.join('&') === '' ? [] : kept), appended].join('&');
  return toLink(target);
}

/** As servers read it, however it is encoded. */
function nameOf(parameter: string): string {
  const [name = ''] = new URLSearchParams(parameter).keys();
  return name;
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
