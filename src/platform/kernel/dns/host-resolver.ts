import { getDefaultResultOrder, type LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIP } from 'node:net';
import { networkInterfaces } from 'node:os';
import {
  type DnsAnswer,
  type DnsVerdict,
  inOrder,
  isIpv6First,
  resolveDnsAnswers,
} from './dns-answers.pure.js';
import { HostsFile } from './hosts-file-reader.js';
import { GetaddrinfoQueue } from './getaddrinfo-queue.js';

/**
 * All addresses of a host name.
 * @throws Error with a code of getaddrinfo(3), `EAI_AGAIN` after the timeout
 */
export type ResolveHost = (hostname: string, timeoutMs: number) => Promise<LookupAddress[]>;

export interface HostResolverOptions {
  /** Name servers, as `address:port`. Default: the operating system's, read again for each name. */
  servers?: readonly string[];
  /** Default: the operating system's. */
  hostsFile?: string | undefined;
  /** The last resort. Default: one for the whole process. */
  system?: GetaddrinfoQueue;
}

const ONE_FOR_ALL = new GetaddrinfoQueue();
/**
 * The share of the timeout that the first name server gets (up to twice that, because c-ares checks its timers only
 * that often), and the number of tries per server. The waits double: 1/8 + 2/8 + 4/8 for a single server.
 */
const FIRST_WAIT = 1 / 8;
const TRIES = 3;
/**
 * How long to wait for the second address family after the first one, in milliseconds. RFC 8305 (section 3) recommends
 * 50; but a name is refused if any of its addresses is, so both families should be seen if possible.
 */
const SECOND_FAMILY_MS = 1_000;

/**
 * Resolves names that merchants chose without libuv's thread pool, in which getaddrinfo(3) would block a thread for as
 * long as a merchant's name server does not respond: the hosts file first, then DNS by c-ares, which needs sockets
 * only. Names that are not in DNS may still be known to the system (search domains, mDNS), which is tried last, one
 * name at a time.
 */
export class HostResolver {
  private readonly hosts: HostsFile;
  private readonly system: GetaddrinfoQueue;
  private readonly servers: readonly string[] | null;

  constructor({ servers, hostsFile, system = ONE_FOR_ALL }: HostResolverOptions = {}) {
    this.hosts = new HostsFile(hostsFile);
    this.system = system;
    this.servers = servers ?? null;
  }

  readonly resolve: ResolveHost = async (hostname, timeoutMs) => {
    const family = isIP(hostname);
    if (family !== 0) return [{ address: hostname, family }];
    const listed = this.hosts.addressesOf(hostname);
    return sorted(listed.length > 0 ? listed : await this.lookUp(hostname, timeoutMs));
  };

  private async lookUp(hostname: string, timeoutMs: number): Promise<LookupAddress[]> {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), timeoutMs);
    try {
      const verdict = await this.askDns(hostname, timeoutMs, deadline.signal);
      if (verdict.kind === 'found') return verdict.addresses;
      const elsewhere =
        verdict.kind === 'elsewhere' ? await this.system.lookup(hostname, deadline.signal) : null;
      if (elsewhere === null) throw verdict.error;
      return elsewhere;
    } finally {
      clearTimeout(timer);
    }
  }

  private async askDns(hostname: string, timeoutMs: number, deadline: AbortSignal): Promise<DnsVerdict> {
    // Created for each name, so that a changed resolv.conf takes effect; it costs some 50 us.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs * FIRST_WAIT), tries: TRIES });
    if (this.servers !== null) resolver.setServers(this.servers);
    const cancel = () => resolver.cancel();
    deadline.addEventListener('abort', cancel, { once: true });
    const timers: NodeJS.Timeout[] = [];
    const receive = async (question: Promise<string[]>): Promise<DnsAnswer> => {
      try {
        const addresses = await question;
        if (addresses.length > 0) timers.push(setTimeout(cancel, SECOND_FAMILY_MS));
        return { addresses };
      } catch (error) {
        return { code: codeOf(error) };
      }
    };
    const [v4, v6] = await Promise.all([
      receive(resolver.resolve4(hostname)),
      receive(resolver.resolve6(hostname)),
    ]);
    for (const timer of timers) clearTimeout(timer);
    return resolveDnsAnswers(hostname, v4, v6);
  }
}

/** The resolver with the system's settings, for the whole process. */
export const resolveHost: ResolveHost = new HostResolver().resolve;

function sorted(addresses: LookupAddress[]): LookupAddress[] {
  if (addresses.every(({ family }) => family === addresses[0]?.family)) return addresses;
  const own = Object.values(networkInterfaces()).flatMap((all) => all ?? []);
  const ipv6First = isIpv6First(
    getDefaultResultOrder(),
    own.map(({ address }) => address),
  );
  return inOrder(addresses, ipv6First);
}

function codeOf(error: unknown): string {
  if (error instanceof Error && 'code' in error && typeof error.code === 'string') return error.code;
  throw error;
}
