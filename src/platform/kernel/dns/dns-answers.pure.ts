import type { LookupAddress } from 'node:dns';

/** Why a name has no address, in the codes of getaddrinfo(3) whichever resolver was used. */
export class HostLookupError extends Error {
  override readonly name = 'HostLookupError';

  /** @param code `ENOTFOUND`: the name does not exist or has no address; `EAI_AGAIN`: no resolver could say */
  constructor(
    readonly code: 'ENOTFOUND' | 'EAI_AGAIN',
    message: string,
  ) {
    super(message);
  }
}

/** A name server's response to one query: addresses, or an error code of c-ares. */
export type DnsAnswer = { addresses: readonly string[] } | { code: string };

export type DnsVerdict =
  | { kind: 'found'; addresses: LookupAddress[] }
  /** Not in DNS, but another source of the system may know it (search domains, mDNS); `error` if none does. */
  | { kind: 'elsewhere'; error: HostLookupError }
  | { kind: 'failed'; error: HostLookupError };

/** The name does not exist, has no record of that type, or is not a valid name. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
/** No name server accepts connections: this system resolves names in some other way, if at all. */
const NO_SERVER = 'ECONNREFUSED';
/** Names that are resolved locally: single-label names and those of mDNS (RFC 6762). Name servers often refuse them. */
const LOCAL_NAME = /^[^.]+$|\.local$/;

/** Combines the A and AAAA responses: the addresses of either suffice, and NXDOMAIN applies to both (RFC 8020). */
export function resolveDnsAnswers(hostname: string, v4: DnsAnswer, v6: DnsAnswer): DnsVerdict {
  const addresses = [...addressesOf(v4, 4), ...addressesOf(v6, 6)];
  if (addresses.length > 0) return { kind: 'found', addresses };
  const codes = [v4, v6].map((answer) => ('code' in answer ? answer.code : 'ENODATA'));
  if (codes.includes('ENOTFOUND') || codes.every((code) => ABSENT.has(code)))
    return { kind: 'elsewhere', error: new HostLookupError('ENOTFOUND', `${hostname} has no address`) };
  const code = codes.find((one) => !ABSENT.has(one));
  const error = new HostLookupError('EAI_AGAIN', `${hostname} could not be looked up (${code})`);
  return { kind: code === NO_SERVER || LOCAL_NAME.test(hostname) ? 'elsewhere' : 'failed', error };
}

function addressesOf(answer: DnsAnswer, family: 4 | 6): LookupAddress[] {
  return 'addresses' in answer ? answer.addresses.map((address) => ({ address, family })) : [];
}

/**
 * Whether IPv6 addresses come first: as Node is configured (`--dns-result-order`), else as getaddrinfo(3) orders public
 * addresses (RFC 6724): first if this machine has a global address of its own (2000::/3), else last.
 */
export function isIpv6First(order: string, ownAddresses: readonly string[]): boolean {
  if (order !== 'verbatim') return order === 'ipv6first';
  return ownAddresses.some((address) => /^[23][0-9a-f]{3}:/.test(address));
}

/** One address family after the other, each in its original order. */
export function inOrder(addresses: readonly LookupAddress[], ipv6First: boolean): LookupAddress[] {
  const sign = ipv6First ? -1 : 1;
  return addresses.toSorted((a, b) => sign * (a.family - b.family));
}
