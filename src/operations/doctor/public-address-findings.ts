import ipaddr from 'ipaddr.js';
import { type Finding, Subject } from './finding.js';

/** Result of a TLS handshake with the public address. */
export interface TlsFacts {
  host: string;
  /** Null for a chain and name that a browser would accept, else why not. */
  refusal: string | null;
  validTo: Date;
}

const DAY = 24 * 3_600_000;
/** Days; usual clients renew a third before the end of 90. */
const RENEW_FROM = 14;

export function assessCertificate({ host, refusal, validTo }: TlsFacts, now: Date): Finding {
  const about = new Subject('TLS');
  const days = Math.floor((validTo.getTime() - now.getTime()) / DAY);
  const until = validTo.toISOString().slice(0, 10);
  if (days < 0)
    return about.failure(`the certificate of ${host} ended on ${until}`, 'renew it on the reverse proxy');
  if (refusal !== null)
    return about.failure(
      `browsers refuse the certificate of ${host}: ${refusal}`,
      'give the reverse proxy a certificate of a public authority for this name, with its intermediates',
    );
  if (days < RENEW_FROM)
    return about.warning(
      `the certificate of ${host} ends in ${days} days, on ${until}`,
      'see why it was not renewed',
    );
  return about.ok(`the certificate of ${host} is good until ${until}`);
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
    `something else answers at ${url}, with HTTP ${status}`,
    'start the gateway, and pass everything below BASE_URL on to it',
  );
}

/** How the gateway counted a request that claimed, in X-Forwarded-For, to come from somewhere else. */
export interface ClientFacts {
  /** The address that the request claimed. */
  forged: string;
  /** The address that the gateway took it to come from, as its counters write it; null when nothing was counted. */
  counted: string | null;
  /** Whether BASE_URL leads over the network; then no client has a private address. */
  isRemote: boolean;
}

/** Rate limits and failed sign-ins count by client address (specification/rate-limits.md#client-addresses). */
export function assessClientAddress({ forged, counted, isRemote }: ClientFacts): Finding {
  const about = new Subject('proxy headers');
  if (counted === null)
    return about.warning(
      'another gateway, or none, counted the request: BASE_URL leads to another database',
      'check BASE_URL and DATABASE_URL of this environment',
    );
  if (counted === forged)
    return about.failure(
      'a client can choose its own address: X-Forwarded-For of strangers is believed',
      'let TRUSTED_PROXIES name your proxies only, and let the proxy replace or append to X-Forwarded-For',
    );
  if (isRemote && isPrivate(counted))
    return about.failure(
      `all clients look like ${counted}, so that they share rate limits`,
      `set TRUSTED_PROXIES to ${counted} (or its range), and let the proxy set X-Forwarded-For`,
    );
  return about.ok(`this machine was seen as ${counted}`);
}

function isPrivate(counted: string): boolean {
  const [address = ''] = counted.split('/');
  return ipaddr.isValid(address) && ipaddr.process(address).range() !== 'unicast';
}
