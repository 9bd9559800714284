import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain, type RequestOptions } from 'node:http';
import { request as requestTls } from 'node:https';
import { text } from 'node:stream/consumers';
import { connect } from 'node:tls';
import ipaddr from 'ipaddr.js';
import { addressKey } from '../../platform/kernel/client-address.pure.js';
import type { Clock } from '../../platform/kernel/clock.pure.js';
import type { Config } from '../../config.js';
import type { DoctorRepository } from './doctor.repository.js';
import { type Finding, reasonOf, Subject } from './finding.js';
import {
  assessAnswer,
  assessCertificate,
  assessClientAddress,
  type TlsFacts,
} from './public-address-findings.js';

/** Milliseconds for each step. */
const TIMEOUT = 5_000;
/** In the range for documentation (RFC 5737), so no real client has it. */
const FORGED = '192.0.2.213';
/** Linux owns all of 127.0.0.0/8. Proxies are 127.0.0.1, so this one is not in TRUSTED_PROXIES. */
const OTHER_LOOPBACK = '127.0.0.2';

/** Response to one request. */
interface Answer {
  status: number;
  body: string;
  /** Address of this machine on the connection. */
  source: string;
}

/** Checks the customers' path to the gateway: name, certificate and proxy. */
export async function checkPublicAddress(
  config: Config,
  repository: DoctorRepository | null,
  clock: Clock,
): Promise<Finding[]> {
  const url = new URL(config.baseUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const dns = new Subject('DNS');
  let addresses: string[];
  try {
    addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return [
      dns.failure(`${host} cannot be resolved: ${reasonOf(error)}`, 'create an A or AAAA record for it'),
    ];
  }
  const findings = [dns.ok(`${host} is ${addresses.join(', ')}`), await checkTls(url, host, config, clock)];
  let answer: Answer;
  try {
    answer = await ask(`${config.baseUrl}/api/health/live`);
  } catch (error) {
    const about = new Subject('public address');
    const fix =
      'start the gateway and the reverse proxy; if only this machine cannot reach it, check its routing';
    return [...findings, about.failure(`no response from ${config.baseUrl}: ${reasonOf(error)}`, fix)];
  }
  const isOurs = answer.status === 200 && /"status":\s*"ok"/.test(answer.body);
  findings.push(assessAnswer(config.baseUrl, { status: answer.status, isOurs }));
  if (!isOurs) return findings;
  const isRemote = addresses.every((address) => ipaddr.process(address).range() !== 'loopback');
  return [...findings, await checkClientAddress(config, repository, { isRemote, source: answer.source })];
}

async function checkTls(url: URL, host: string, { production }: Config, clock: Clock): Promise<Finding> {
  const about = new Subject('TLS');
  if (url.protocol !== 'https:') {
    const found = 'BASE_URL is plain http: anyone on the network path can change the deposit address';
    const fix = 'put a reverse proxy with a certificate in front, and set BASE_URL to https';
    return production ? about.failure(found, fix) : about.warning(found, fix);
  }
  try {
    return assessCertificate(await readCertificate(host, Number(url.port || 443)), clock.now());
  } catch (error) {
    return about.failure(
      `no TLS connection to ${host}: ${reasonOf(error)}`,
      'start the reverse proxy, and open port 443 in the firewall',
    );
  }
}

/** Accepts any certificate, to report what is wrong with it; sends nothing. */
async function readCertificate(host: string, port: number): Promise<TlsFacts> {
  const socket = connect({ host, port, servername: host, rejectUnauthorized: false, timeout: TIMEOUT });
  socket.on('timeout', () => socket.destroy(new Error('timed out')));
  try {
    await once(socket, 'secureConnect');
    // The code, although the type says Error; both exist (Node.js, "tlsSocket.authorizationError").
    const why: unknown = socket.authorizationError;
    const refusal = socket.authorized ? null : String(why instanceof Error && 'code' in why ? why.code : why);
    return { host, refusal, validTo: new Date(socket.getPeerCertificate().valid_to) };
  } finally {
    socket.destroy();
  }
}

/**
 * Sends an invalid token with a forged X-Forwarded-For. The failure is counted in the database under the client address
 * that the gateway determined (specification/rate-limits.md#client-addresses).
 */
async function checkClientAddress(
  { baseUrl, rateLimits, trustedProxies }: Config,
  repository: DoctorRepository | null,
  { isRemote, source: usual }: { isRemote: boolean; source: string },
): Promise<Finding> {
  const about = new Subject('proxy headers');
  if (repository === null || rateLimits.failedAuth === 0)
    return about.warning('not checked', 'needs the database, and RATE_LIMIT_FAILED_AUTH above 0');
  const before = new Map((await readCounters(repository)).map(({ subject, at }) => [subject, at]));
  const source = await sendForged(baseUrl, usual);
  const changed = (await readCounters(repository)).filter(({ subject, at }) => at !== before.get(subject));
  const counted = changed.map(({ subject }) => subject);
  return assessClientAddress({
    forged: FORGED,
    // Other clients may have failed at the same time.
    counted:
      [FORGED, addressKey(source)].find((known) => counted.includes(known ?? '')) ?? counted[0] ?? null,
    source,
    trustedProxies,
    isRemote,
  });
}

/** Returns the address that this machine had, outside of TRUSTED_PROXIES where it has such a one. */
async function sendForged(baseUrl: string, usual: string): Promise<string> {
  const url = `${baseUrl}/api/account`;
  const headers = {
    authorization: `Bearer doctor-${randomBytes(16).toString('hex')}`,
    'x-forwarded-for': FORGED,
  };
  if (usual.startsWith('127.')) {
    try {
      return (await ask(url, { headers, localAddress: OTHER_LOOPBACK, family: 4 })).source;
    } catch (error) {
      // Other systems than Linux do not have the address.
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRNOTAVAIL')) throw error;
    }
  }
  return (await ask(url, { headers })).source;
}

/** When each client address last had an invalid token. */
async function readCounters(repository: DoctorRepository): Promise<{ subject: string; at: number }[]> {
  const counters = await repository.failedTokens();
  return counters.map(({ subject, restoredAt }) => ({ subject, at: restoredAt.getTime() }));
}

/** As a client that trusts public authorities and those of NODE_EXTRA_CA_CERTS; follows no redirect. */
async function ask(url: string, options: RequestOptions = {}): Promise<Answer> {
  const send = url.startsWith('https:') ? requestTls : requestPlain;
  const request = send(url, { ...options, agent: false, signal: AbortSignal.timeout(TIMEOUT) }).end();
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  const { localAddress: source = '' } = response.socket;
  return { status: response.statusCode ?? 0, body: await text(response), source };
}
