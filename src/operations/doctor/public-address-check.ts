import { randomBytes } from 'node:crypto';
import { lookup } from 'node:dns/promises';
import { once } from 'node:events';
import { connect } from 'node:tls';
import ipaddr from 'ipaddr.js';
import type { Clock } from '../../platform/runtime/clock.pure.js';
import type { Queryable } from '../../platform/database/sql.js';
import type { Config } from '../../config.js';
import { type Finding, reasonOf, Subject } from './finding.js';
import {
  assessAnswer,
  assessCertificate,
  assessClientAddress,
  type TlsFacts,
} from './public-address-findings.js';

/** Milliseconds for each of the steps. */
const TIMEOUT = 5_000;
/** Of the range for documentation (RFC 5737): no real client has it. */
const FORGED = '192.0.2.213';
const COUNTED = `select subject, restored_at from failed_attempts where kind = 'token'`;

/** Name, certificate, proxy: the way of customers to the gateway. */
export async function checkPublicAddress(
  config: Config,
  sql: Queryable | null,
  clock: Clock,
): Promise<Finding[]> {
  const url = new URL(config.baseUrl);
  const host = url.hostname.replace(/^\[(.*)\]$/, '$1');
  const dns = new Subject('DNS');
  let addresses: string[];
  try {
    addresses = (await lookup(host, { all: true })).map(({ address }) => address);
  } catch (error) {
    return [dns.failure(`${host} cannot be resolved: ${reasonOf(error)}`, 'make an A or AAAA record for it')];
  }
  const findings = [dns.ok(`${host} is ${addresses.join(', ')}`), await checkTls(url, host, config, clock)];
  const answer = await checkAnswer(config.baseUrl);
  findings.push(answer);
  if (answer.severity !== 'ok') return findings;
  const isRemote = addresses.every((address) => ipaddr.process(address).range() !== 'loopback');
  return [...findings, await checkClientAddress(config, sql, isRemote)];
}

async function checkTls(url: URL, host: string, { production }: Config, clock: Clock): Promise<Finding> {
  const about = new Subject('TLS');
  if (url.protocol !== 'https:') {
    const found = 'BASE_URL is plain http: anybody on the way can change the deposit address';
    const fix = 'put a reverse proxy with a certificate in front, and set BASE_URL to https';
    return production ? about.failure(found, fix) : about.warning(found, fix);
  }
  try {
    return assessCertificate(await readCertificate(host, Number(url.port || 443)), clock.now());
  } catch (error) {
    return about.failure(
      `no TLS connection to ${host}: ${reasonOf(error)}`,
      'start the reverse proxy, and let port 443 through the firewall',
    );
  }
}

/** Accepts any certificate, in order to report what is wrong with it; sends nothing. */
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
      `nothing answers at ${baseUrl}: ${reasonOf(error)}`,
      'start the gateway and the reverse proxy; if only this machine cannot reach it, look at its routing',
    );
  }
}

/**
 * A token that cannot be good, sent with a forged X-Forwarded-For: the failure is counted in the database under the
 * address that the gateway believes in (specification/rate-limits.md#client-addresses).
 */
async function checkClientAddress(
  { baseUrl, rateLimits }: Config,
  sql: Queryable | null,
  isRemote: boolean,
): Promise<Finding> {
  const about = new Subject('proxy headers');
  if (sql === null || rateLimits.failedAuth === 0)
    return about.warning('not checked', 'needs the database, and RATE_LIMIT_FAILED_AUTH above 0');
  const before = new Map((await readCounted(sql)).map(({ subject, at }) => [subject, at]));
  const response = await ask(`${baseUrl}/api/account`, {
    authorization: `Bearer doctor-${randomBytes(16).toString('hex')}`,
    'x-forwarded-for': FORGED,
  });
  await response.body?.cancel();
  const counted = (await readCounted(sql)).filter(({ subject, at }) => at !== before.get(subject));
  const isForged = counted.some(({ subject }) => subject === FORGED);
  const [first] = counted;
  return assessClientAddress({
    forged: FORGED,
    counted: isForged ? FORGED : (first?.subject ?? null),
    isRemote,
  });
}

async function readCounted(sql: Queryable): Promise<{ subject: string; at: number }[]> {
  const rows = await sql.query<{ subject: string; restored_at: Date }>(COUNTED);
  return rows.map(({ subject, restored_at: at }) => ({ subject, at: at.getTime() }));
}

function ask(url: string, headers: Record<string, string> = {}): Promise<Response> {
  return fetch(url, { headers, redirect: 'manual', signal: AbortSignal.timeout(TIMEOUT) });
}
