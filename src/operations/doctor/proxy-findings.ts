import ipaddr from 'ipaddr.js';
import { plainAddress } from '../../platform/kernel/client-address.pure.js';
import { type Finding, Subject } from './finding.js';
import { isTrustedProxy } from './public-address-findings.js';

/** How the request came that asks. */
export interface Arrival {
  /** The address at the other end of the connection. */
  peer: string;
  /** X-Forwarded-For as it was sent. */
  forwardedFor: string | undefined;
}

/** Bits: a shorter prefix holds whole providers, whose customers could then name any address as theirs. */
const SHORTEST_PREFIX = { ipv4: 8, ipv6: 20 };

/**
 * Whether the right proxies are believed, by the request of the operator who looks: clients behind a proxy that is not
 * believed share one address and so their limits (specification/rate-limits.md#client-addresses).
 */
export function assessProxies(trustedProxies: readonly string[], { peer, forwardedFor }: Arrival): Finding {
  const about = new Subject('proxies');
  const wide = trustedProxies.find(isWide);
  if (wide !== undefined)
    return about.failure(
      `TRUSTED_PROXIES has ${wide}: clients from there choose their own address, and with it their limits`,
      'list only the addresses of your proxies',
    );
  const from = plainAddress(peer);
  const isTrusted = isTrustedProxy(from, trustedProxies);
  if (forwardedFor !== undefined && !isTrusted)
    return about.warning(
      `your request came by a proxy at ${from}, which TRUSTED_PROXIES does not have: its clients count as one`,
      `set TRUSTED_PROXIES to ${from} (or its range)`,
    );
  if (forwardedFor === undefined && isTrusted && !isLoopback(from))
    return about.warning(
      `your request came from ${from}, a proxy of TRUSTED_PROXIES, without X-Forwarded-For: its clients count as one`,
      'have the proxy set X-Forwarded-For (nginx: proxy_set_header X-Forwarded-For $remote_addr)',
    );
  return about.ok(
    isTrusted && forwardedFor !== undefined
      ? `your request came by ${from}, which may say for whom`
      : `your request came from ${from}, without a proxy`,
  );
}

function isWide(range: string): boolean {
  const [address = '', prefix] = range.split('/');
  if (prefix === undefined || !ipaddr.isValid(address)) return false;
  const parsed = ipaddr.parse(address);
  // Private ranges hold no customers.
  const isOfAll = Number(prefix) === 0;
  return isOfAll || (parsed.range() === 'unicast' && Number(prefix) < SHORTEST_PREFIX[parsed.kind()]);
}

const isLoopback = (address: string): boolean =>
  ipaddr.isValid(address) && ipaddr.process(address).range() === 'loopback';
