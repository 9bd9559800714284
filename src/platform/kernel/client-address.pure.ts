import ipaddr from 'ipaddr.js';

/** The parts of an Express request that identify its sender. */
export interface AddressedRequest {
  /** What Express read from X-Forwarded-For, which only proxies of TRUSTED_PROXIES may write. */
  ip?: string | undefined;
  /** All of that header up to the first entry that was not written by a trusted proxy, which comes first. */
  ips?: readonly string[] | undefined;
  socket: { remoteAddress?: string | undefined };
}

const OCTET = String.raw`(?:25[0-5]|2[0-4]\d|1\d\d|[1-9]?\d)`;
/** Without leading zeros, so that an address has one form. */
const IPV4 = new RegExp(String.raw`^(?:${OCTET}\.){3}${OCTET}$`);

/** A port, also one that is hidden by a name (RFC 7239, section 6.2). */
const PORT = ':(?:\\d{1,5}|_[\\w.-]+)';
const BRACKETED = new RegExp(`^\\[([^\\]]+)\\](?:${PORT})?$`);
const V4_WITH_PORT = new RegExp(`^(\\d+\\.\\d+\\.\\d+\\.\\d+)${PORT}$`);

/**
 * The address in an entry of X-Forwarded-For, for which there is no standard: proxies write `203.0.113.9:41234`,
 * `[2001:db8::1]:41234`, quotes around both, and zones, of which `%` may be encoded. An IPv6 address with a port and no
 * brackets is an address.
 */
function withoutPort(entry: string): string {
  const text = entry
    .trim()
    .replace(/^"(.*)"$/, '$1')
    .trim();
  const [, bracketed] = BRACKETED.exec(text) ?? [];
  const [, v4] = V4_WITH_PORT.exec(text) ?? [];
  return (bracketed ?? v4 ?? text).replace(/%.*$/, '');
}

/** An IPv4 address as Node names it on a socket that takes both families: parsing that as IPv6 costs ten times as much. */
function unmapped(address: string): string {
  const [, v4] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address) ?? [];
  return v4 ?? address;
}

/** An entry of X-Forwarded-For in the form that the list of trusted proxies is compared with; anything else as it is. */
export function plainAddress(entry: string): string {
  return unmapped(withoutPort(entry));
}

/**
 * One name for all addresses that one client can have: an IPv4 address, or an IPv6 network of 64 bits (the size that a
 * single site gets, RFC 6177), e.g. `2001:db8:1:2::/64`. IPv4-mapped IPv6 is IPv4. Null if the text is no address.
 */
export function addressKey(text: string | undefined): string | null {
  const address = plainAddress(text ?? '');
  if (IPV4.test(address)) return address;
  if (!ipaddr.IPv6.isValid(address)) return null;
  const parsed = ipaddr.IPv6.parse(address);
  if (parsed.isIPv4MappedAddress()) return parsed.toIPv4Address().toString();
  const network = new ipaddr.IPv6([...parsed.parts.slice(0, 4), 0, 0, 0, 0]);
  return `${network.toRFC5952String()}/64`;
}

/** The client's address; if its proxy wrote none (`unknown`, `_hidden`, nothing), that of this trusted proxy. */
export function clientAddress(request: AddressedRequest): string {
  const written = addressKey(request.ip);
  if (written !== null) return written;
  const [nearest = request.socket.remoteAddress] = (request.ips ?? []).slice(1);
  return addressKey(nearest) ?? addressKey(request.socket.remoteAddress) ?? 'unknown';
}

/**
 * The network of an address, for records that are kept: the first 24 bits of an IPv4 address, the first 48 of an IPv6
 * one. It says from which provider or place a request came, and does not name a person or a household.
 * @param address as {@link clientAddress} returned it
 */
export function addressNetwork(address: string): string {
  const [plain = ''] = address.split('/');
  if (IPV4.test(plain)) return `${plain.split('.').slice(0, 3).join('.')}.0/24`;
  if (!ipaddr.IPv6.isValid(plain)) return address;
  const network = new ipaddr.IPv6([...ipaddr.IPv6.parse(plain).parts.slice(0, 3), 0, 0, 0, 0, 0]);
  return `${network.toRFC5952String()}/48`;
}
