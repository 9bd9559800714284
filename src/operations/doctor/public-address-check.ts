import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../../platform/runtime/clock.pure.js';
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
  const answer = await checkAnswer(config.baseUrl);
  findings.push(answer);
  if (answer.severity !== 'ok') return findings;
  const isRemote = addresses.every((address) => ipaddr.process(address).range() !== 'loopback');
  return [...findings, await checkClientAddress(config, repository, isRemote)];
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
    const refusal = socket.authorized ? null : String(socket.authorizationError);
    return { host, refusal, validTo: new Date(socket.getPeerCertificate().valid_to) };
  } finally {
    socket.destroy();
  }
}

async function checkAnswer(baseUrl: string): Promise<Finding> {
  const about = new Subject('public address');
  try {
    const response = await ask(`${baseUrl}/api/health/live`);
    const body = await response.text();
    return assessAnswer(baseUrl, {
      status: response.status,
      isOurs: response.ok && /"status":\s*"ok"/.test(body),
    });
  } catch (error) {
    return about.failure(
      `no response from ${baseUrl}: ${reasonOf(error)}`,
      'start the gateway and the reverse proxy; if only this machine cannot reach it, check its routing',
    );
  }
}

/**
 * Sends an invalid token with a forged X-Forwarded-For. The failure is counted in the database under the client address
 * that the gateway determined (specification/rate-limits.md#client-addresses).
 */
async function checkClientAddress(
  { baseUrl, rateLimits }: Config,
  repository: DoctorRepository | null,
  isRemote: boolean,
): Promise<Finding> {
  const about = new Subject('proxy headers');
  if (repository === null || rateLimits.failedAuth === 0)
    return about.warning('not checked', 'needs the database, and RATE_LIMIT_FAILED_AUTH above 0');
  const before = new Map((await readCounters(repository)).map(({ subject, at }) => [subject, at]));
  const response = await ask(`${baseUrl}/api/account`, {
    authorization: `Bearer doctor-${randomBytes(16).toString('hex')}`,
    'x-forwarded-for': FORGED,
  });
  await response.body?.cancel();
  const counted = (await readCounters(repository)).filter(({ subject, at }) => at !== before.get(subject));
  const isForged = counted.some(({ subject }) => subject === FORGED);
  const [first] = counted;
  return assessClientAddress({
    forged: FORGED,
    counted: isForged ? FORGED : (first?.subject ?? null),
    isRemote,
  });
}

/** When each client address last had an invalid token. */
async function readCounters(repository: DoctorRepository): Promise<{ subject: string; at: number }[]> {
  const counters = await repository.failedTokens();
  return counters.map(({ subject, restoredAt }) => ({ subject, at: restoredAt.getTime() }));
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
}
