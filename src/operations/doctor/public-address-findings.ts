import ipaddr from 'ipaddr.js';
import { addressKey } from '../../platform/kernel/client-address.pure.js';
import { type Finding, Subject } from './finding.js';

/** Result of a TLS handshake with the public address. */
export interface TlsFacts {
  host: string;
  /** Null for a chain and name that a browser would accept, else why not. */
  refusal: string | null;
  validTo: Date;
}

const DAY = 24 * 3_600_000;
/** Days. Common ACME clients renew certificates of 90 days a month before they expire. */
const RENEW_FROM = 14;

/** Codes of OpenSSL (`man openssl-verification-options`) and Node.js for a chain that ends at no public authority. */
const NOT_PUBLIC: ReadonlyMap<string, string> = new Map([
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'it is signed by itself, and by no authority'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'its authority is not a public one'],
  [
    'UNABLE_TO_GET_ISSUER_CERT_LOCALLY',
    'its authority is not a public one, or the proxy does not send the intermediates',
  ],
  [
    'UNABLE_TO_VERIFY_LEAF_SIGNATURE',
    'the proxy does not send the intermediates, or its authority is not a public one',
  ],
]);
const OTHER: ReadonlyMap<string, string> = new Map([
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'it is for another name'],
  ['CERT_NOT_YET_VALID', 'it is not valid yet: compare the clocks'],
  ['CERT_REVOKED', 'it was revoked'],
]);
/** Of private networks (RFC 6761, RFC 6762, RFC 8375, RFC 9476 and ICANN's `.internal`): no public authority certifies them. */
const RESERVED_NAME = /(^|\.)(internal|local|localhost|test|alt|home\.arpa)$/i;

export function assessCertificate({ host, refusal, validTo }: TlsFacts, now: Date): Finding {
  const about = new Subject('TLS');
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY);
  const until = validTo.toISOString().slice(0, 10);
  if (days < 0)
    return about.failure(`the certificate of ${host} expired on ${until}`, 'renew it on the reverse proxy');
  if (refusal !== null && NOT_PUBLIC.has(refusal) && RESERVED_NAME.test(host))
    return about.warning(
      `the certificate of ${host} is one of your own: only browsers that know its authority accept it`,
      'give customers a name that a public authority can certify, or its authority to every browser',
    );
  if (refusal !== null)
    return about.failure(
      `browsers refuse the certificate of ${host}: ${NOT_PUBLIC.get(refusal) ?? OTHER.get(refusal) ?? refusal}`,
      'install a certificate of a public authority for this name on the reverse proxy, with its intermediates',
    );
  if (days < RENEW_FROM)
    return about.warning(
      `the certificate of ${host} expires in ${days} days, on ${until}`,
      'find out why it was not renewed',
    );
  return about.ok(`the certificate of ${host} is valid until ${until}`);
}

/** Response of the public address. */
export interface AnswerFacts {
  status: number;
  /** Whether the body was that of our own health route. */
  isOurs: boolean;
}

export function assessAnswer(url: string, { status, isOurs }: AnswerFacts): Finding {
  const about = new Subject('public address');
  if (isOurs) return about.ok(`${url} reaches a gateway`);
  return about.failure(
    `another server responds at ${url}, with HTTP ${status}`,
    'start the gateway, and forward everything below BASE_URL to it',
  );
}

/** How the gateway counted a request with a forged X-Forwarded-For. */
export interface ClientFacts {
  /** The address in X-Forwarded-For. */
  forged: string;
  /** The client address that the gateway determined, as its counters store it; null when nothing was counted. */
  counted: string | null;
  /** Address that this machine had on its connection to BASE_URL, before any NAT. */
  source: string;
  /** TRUSTED_PROXIES. */
  trustedProxies: readonly string[];
  /** Whether BASE_URL is reached over the network; then no client outside has a private address. */
  isRemote: boolean;
}

/**
 * Rate limits and failed sign-ins count by client address (specification/rate-limits.md#client-addresses). In a container
 * this machine is in the range of TRUSTED_PROXIES itself, and the gateway passes over such addresses in X-Forwarded-For.
 */
export function assessClientAddress(facts: ClientFacts): Finding {
  const { forged, counted, source, trustedProxies, isRemote } = facts;
  const about = new Subject('proxy headers');
  if (counted === null)
    return about.warning(
      'this database did not count the request: the gateway at BASE_URL uses another one',
      'check BASE_URL and DATABASE_URL of this environment',
    );
  if (counted === forged && isTrustedProxy(source, trustedProxies) && !isTrustedProxy(forged, trustedProxies))
    return about.warning(
      `not decided: ${source}, this machine, is in TRUSTED_PROXIES itself, and the proxy keeps the client's X-Forwarded-For`,
      `have the proxy replace the header (nginx: proxy_set_header X-Forwarded-For $remote_addr), or check from a machine outside`,
    );
  if (counted === forged)
    return about.failure(
      'a client can choose its own address: X-Forwarded-For of any client is trusted',
      'list only your proxies in TRUSTED_PROXIES, and have the proxy replace X-Forwarded-For or append to it',
    );
  // A trusted address is where the gateway ends up only if X-Forwarded-For held nothing but such ones: ours, as the
  // proxy sees it.
  const isOurs =
    isTrustedProxy(counted, trustedProxies) || (counted === addressKey(source) && trustedProxies.length > 0);
  if (isRemote && isPrivate(counted) && !isOurs)
    return about.failure(
      `all clients appear as ${counted}, so they share rate limits`,
      `set TRUSTED_PROXIES to ${counted} (or its range), and have the proxy set X-Forwarded-For`,
    );
  return about.ok(`this machine appears as ${counted}`);
}

function isPrivate(counted: string): boolean {
  const [address = ''] = counted.split('/');
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast';
}

/** @param counted an address, or the IPv6 network that counters name */
export function isTrustedProxy(counted: string, trustedProxies: readonly string[]): boolean {
  const [text = ''] = counted.split('/');
  if (!ipaddr.isValid(text)) return false;
  const address = ipaddr.process(text);
  return trustedProxies.some((proxy) => {
    const [network, bits] = proxy.includes('/')
      ? ipaddr.parseCIDR(proxy)
      : [ipaddr.process(proxy), address.kind() === 'ipv4' ? 32 : 128];
    return network.kind() === address.kind() && address.match(network, bits);
  });
}
