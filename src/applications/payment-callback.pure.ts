import { checkWebhookUrl, type WebhookUrlPolicy } from './webhook-url-policy.pure.js';
import { canParseUrl } from '../platform/web/contract/url.pure.js';

/** The addresses of an application. */
export interface SiteAddresses {
  url: string | null;
  callbackUrl: string | null;
}

/**
 * Where the events of a payment go: to its own URL while that is on a host of the application, else to the
 * application's. Null: nowhere. Decided again for each attempt, so that nothing is sent to a host that the shop has
 * left: it may belong to someone else by now.
 */
export function callbackOf(own: string | null, site: SiteAddresses): string | null {
  return own !== null && isOfSite(own, site) ? own : site.callbackUrl;
}

/**
 * Why a payment may not have this URL of its own, as a message of its field, or null
 * (specification/payments.md#callback-url).
 */
export function callbackProblem(own: string, site: SiteAddresses, policy: WebhookUrlPolicy): string | null {
  const verdict = checkWebhookUrl(own, policy);
  if (!verdict.isAllowed)
    return `The callbackUrl field must be an address that webhooks may go to: ${verdict.reason}.`;
  if (isOfSite(own, site)) return null;
  const hosts = hostsOf(site);
  return hosts.length === 0
    ? 'The callbackUrl field needs an application with a url or a callbackUrl, and must be on its host.'
    : `The callbackUrl field must be on the host of the application's url or callbackUrl: ${hosts.join(' or ')}.`;
}

/** Any port is allowed: the host is the same shop's. */
function isOfSite(own: string, site: SiteAddresses): boolean {
  return canParseUrl(own) && hostsOf(site).includes(new URL(own).hostname);
}

/** As WHATWG parsing writes them: lower-case, internationalized names in ASCII. */
function hostsOf({ url, callbackUrl }: SiteAddresses): string[] {
  const known = [url, callbackUrl].filter((address) => address !== null && canParseUrl(address));
  return [...new Set(known.map((address) => new URL(String(address)).hostname))];
}
