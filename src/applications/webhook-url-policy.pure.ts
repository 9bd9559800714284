import ipaddr from 'ipaddr.js';
import { isAddress } from '../platform/kernel/dns/ip-address.pure.js';
import { canParseUrl } from '../platform/web/contract/url.pure.js';

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = [Address, number];

/** Where webhooks may go (specification/webhooks.md#target-addresses). */
export interface WebhookUrlPolicy {
  /** False: plain http, any port, loopback and private addresses are fine too. */
  production: boolean;
  /** Ranges that the operator allows (WEBHOOK_ALLOWED_CIDRS), whatever they are. */
  allowedRanges: readonly Range[];
}

/**
 * @param allowedCidrs WEBHOOK_ALLOWED_CIDRS
 * @throws Error naming the variable and the entry
 */
export function webhookUrlPolicy(production: boolean, allowedCidrs: readonly string[]): WebhookUrlPolicy {
  return { production, allowedRanges: parseAllowedRanges(allowedCidrs) };
}

/** Result for a callback URL; `reason` is safe to show. */
export type WebhookUrlVerdict = { isAllowed: true; url: URL } | { isAllowed: false; reason: string };

/**
 * Special-purpose ranges (IANA registries, RFC 6890 and its updates), with the metadata services of clouds that
 * answer on public addresses. The order matters: the first match names the range.
 */
const IPV4_SPECIAL: readonly [string, string][] = [
  ['127.0.0.0/8', 'loopback'],
  ['10.0.0.0/8', 'private'],
  ['172.16.0.0/12', 'private'],
  ['192.168.0.0/16', 'private'],
  ['169.254.0.0/16', 'link-local'],
  ['168.63.129.16/32', 'cloud metadata'],
  ['100.64.0.0/10', 'carrier-grade NAT'],
  ['0.0.0.0/8', 'unspecified'],
  ['192.0.0.0/24', 'reserved'],
  ['192.0.2.0/24', 'documentation'],
  ['198.51.100.0/24', 'documentation'],
  ['203.0.113.0/24', 'documentation'],
  ['192.88.99.0/24', '6to4 relay'],
  ['198.18.0.0/15', 'benchmarking'],
  ['224.0.0.0/4', 'multicast'],
  ['240.0.0.0/4', 'reserved'],
];
const IPV6_SPECIAL: readonly [string, string][] = [
  ['::1/128', 'loopback'],
  ['::/128', 'unspecified'],
  ['fc00::/7', 'private'],
  ['fe80::/10', 'link-local'],
  ['ff00::/8', 'multicast'],
  // These embed IPv4 addresses that the ranges above do not cover.
  ['64:ff9b::/96', 'NAT64'],
  ['64:ff9b:1::/48', 'NAT64'],
  ['2002::/16', '6to4'],
  // IETF protocol assignments: Teredo, benchmarking, ORCHID.
  ['2001::/23', 'reserved'],
  ['2001:db8::/32', 'documentation'],
  ['3fff::/20', 'documentation'],
];
/** All global unicast addresses assigned so far; the rest of IPv6 is refused as reserved. */
const IPV6_GLOBAL = parseRange('2000::/3');

const SPECIAL = [...IPV4_SPECIAL, ...IPV6_SPECIAL].map(
  ([range, name]) => [parseRange(range), name] as [Range, string],
);
const ALLOWED_IN_DEVELOPMENT = new Set(['loopback', 'private']);

/** The addresses of `localhost` and names below it, whatever a resolver returns (RFC 6761, section 6.3). */
const LOCALHOST = /(^|\.)localhost\.?$/;
const LOCALHOST_ADDRESSES = ['127.0.0.1', '::1'];

/**
 * Checks a callback URL before anything is resolved, when it is saved and at every attempt: scheme, user
 * information, port, and a host that is an address in any spelling (`127.1`, `0x7f.1`, `2130706433`, full-width
 * digits): WHATWG parsing turns them all into the canonical one. Names are checked by {@link refusalOfAddress}
 * when they are resolved.
 */
export function checkWebhookUrl(callbackUrl: string, policy: WebhookUrlPolicy): WebhookUrlVerdict {
  if (!canParseUrl(callbackUrl)) return refuse('the URL cannot be read');
  const url = new URL(callbackUrl);
  if (url.protocol !== 'https:' && url.protocol !== 'http:')
    return refuse('the URL is neither https nor http');
  if (url.username !== '' || url.password !== '') return refuse('the URL carries user information');
  if (policy.production) {
    if (url.protocol !== 'https:') return refuse('the URL is not https');
    const port = url.port === '' ? 443 : Number(url.port);
    if (port !== 443 && port < 1024) return refuse(`port ${port} is neither 443 nor above 1023`);
  }
  const host = hostOf(url);
  const addresses = isAddress(host) ? [host] : LOCALHOST.test(host) ? LOCALHOST_ADDRESSES : [];
  const reasons = addresses.map((address) => refusalOfAddress(address, policy));
  const [reason = null] = reasons.includes(null) ? [] : reasons;
  return reason === null ? { isAllowed: true, url } : refuse(reason);
}

/**
 * Whether the host of a readable URL is a single label, such as `shop` or `shop.`: no public name (RFC 7085), so in
 * production a typing mistake. Where the operator allows ranges of an internal network its names may be meant, and
 * what they resolve to decides. `localhost` is not such a name: {@link checkWebhookUrl} treats it as loopback addresses.
 */
export function isLocalName(address: string, { production, allowedRanges }: WebhookUrlPolicy): boolean {
  if (!production || allowedRanges.length > 0 || !canParseUrl(address)) return false;
  const host = hostOf(new URL(address));
  return !isAddress(host) && !LOCALHOST.test(host) && !host.replace(/\.$/, '').includes('.');
}

/** What to do about a refusal, where the reason alone does not say it. */
export function adviceFor(reason: string): string {
  if (reason.startsWith('the address is not public'))
    return ' Webhooks go to public https addresses; the operator of the gateway allows others by WEBHOOK_ALLOWED_CIDRS.';
  return '';
}

/** The host without the brackets of an IPv6 address. */
export function hostOf(url: URL): string {
  return url.hostname.replace(/^\[(.*)\]$/, '$1');
}

/** Why webhooks must not be sent to an address (as resolved, or of a connected socket), or null. */
export function refusalOfAddress(address: string, policy: WebhookUrlPolicy): string | null {
  if (!ipaddr.isValid(address)) return 'the address cannot be read';
  // An IPv4-mapped IPv6 address counts as the IPv4 address that it reaches.
  const parsed = ipaddr.process(address);
  if (policy.allowedRanges.some((range) => contains(range, parsed))) return null;
  const name = specialRangeOf(parsed);
  if (name === null || (!policy.production && ALLOWED_IN_DEVELOPMENT.has(name))) return null;
  return `the address is not public (${name})`;
}

/**
 * Reads WEBHOOK_ALLOWED_CIDRS.
 * @throws Error naming the variable and the entry
 */
export function parseAllowedRanges(cidrs: readonly string[]): Range[] {
  return cidrs.map((cidr) => {
    const range = isAddress(cidr) ? `${cidr}/${cidr.includes(':') ? 128 : 32}` : cidr;
    const [address = ''] = range.split('/');
    if (!isAddress(address) || !ipaddr.isValidCIDR(range)) {
      throw new Error(`WEBHOOK_ALLOWED_CIDRS: "${cidr}" is not an address range such as 10.1.0.0/16`);
    }
    return parseRange(range);
  });
}

function specialRangeOf(address: Address): string | null {
  const special = SPECIAL.find(([range]) => contains(range, address));
  if (special) return special[1];
  return address.kind() === 'ipv4' || contains(IPV6_GLOBAL, address) ? null : 'reserved';
}

function contains(range: Range, address: Address): boolean {
  return range[0].kind() === address.kind() && address.match(range);
}

function parseRange(cidr: string): Range {
  return ipaddr.parseCIDR(cidr);
}

function refuse(reason: string): WebhookUrlVerdict {
  return { isAllowed: false, reason };
}
