import type { LookupAddress } from 'node:dns';

/** Why a name has no address: in the codes of getaddrinfo(3), whoever was asked. */
export class HostLookupError extends Error {
  override readonly name = 'HostLookupError';

  /** @param code `ENOTFOUND`: there is no such name, or it has no address; `EAI_AGAIN`: nobody could tell */
  constructor(
    readonly code: 'ENOTFOUND' | 'EAI_AGAIN',
    message: string,
  ) {
    super(message);
  }
}

/** What a name server said to one question: addresses, or a code of c-ares. */
export type DnsAnswer = { addresses: readonly string[] } | { code: string };

export type DnsVerdict =
  | { kind: 'found'; addresses: LookupAddress[] }
  /** DNS has it not, and another source of the system's may (search domains, mDNS); `error` if none has. */
  | { kind: 'elsewhere'; error: HostLookupError }
  | { kind: 'failed'; error: HostLookupError };

/** There is no such name, or nothing of that type, or it can be no name. */
const ABSENT = new Set(['ENOTFOUND', 'ENODATA', 'EBADNAME']);
/** Nobody at the port of any name server: this system resolves in some other way, if at all. */
const NO_SERVER = 'ECONNREFUSED';
/** Names whose server no stranger runs: without a dot, or of mDNS (RFC 6762); servers that refuse them are common. */
const LOCAL_NAME = /^[^.]+$|\.local$/;

/** Both questions of a name as one answer: the addresses of either suffice, and NXDOMAIN is true of both (RFC 8020). */
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
 * Whether IPv6 goes first: as Node was told (`--dns-result-order`), else what getaddrinfo(3) makes of it for public
 * addresses (RFC 6724): first where this machine has a global address of its own (2000::/3), else last.
 */
export function isIpv6First(order: string, ownAddresses: readonly string[]): boolean {
  if (order !== 'verbatim') return order === 'ipv6first';
  return ownAddresses.some((address) => /^[23][0-9a-f]{3}:/.test(address));
}

/** One family after the other, each in the order that it came in. */
export function inOrder(addresses: readonly LookupAddress[], ipv6First: boolean): LookupAddress[] {
  const sign = ipv6First ? -1 : 1;
  return addresses.toSorted((a, b) => sign * (a.family - b.family));
}
