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
 * @throws Error with a code of getaddrinfo(3), `EAI_AGAIN` if the time was not enough
 */
export type ResolveHost = (hostname: string, timeoutMs: number) => Promise<LookupAddress[]>;

export interface HostResolverOptions {
  /** Name servers, as `address:port`. Default: the operating system's, read anew for each name. */
  servers?: readonly string[];
  /** Default: the operating system's. */
  hostsFile?: string | undefined;
  /** The last resort. Default: one for the whole process. */
  system?: GetaddrinfoQueue;
}

const ONE_FOR_ALL = new GetaddrinfoQueue();
/**
 * Of the whole time, how long the first name server is waited for (c-ares looks at the clock as rarely, so it may be
 * twice that), and how often each is asked; the waits double: 1/8 + 2/8 + 4/8 for a lone server.
 */
const FIRST_WAIT = 1 / 8;
const TRIES = 3;
/**
 * What the second family has when the first one has answered, in milliseconds. RFC 8305 (section 3) would wait 50;
 * but a name is refused for any of its addresses, so both should be seen where both can be.
 */
const SECOND_FAMILY_MS = 1_000;

/**
 * Resolves names that strangers chose (merchants' servers) without libuv's pool of threads, which getaddrinfo(3)
 * would hold for as long as a stranger's name server is silent: the hosts file first, then DNS by c-ares, which needs
 * sockets only. What DNS does not know may still be known to the system (search domains, mDNS); that is asked last,
 * one name at a time.
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
    // Made anew, so that a changed resolv.conf is noticed; it costs some 50 us.
    const resolver = new Resolver({ timeout: Math.ceil(timeoutMs * FIRST_WAIT), tries: TRIES });
    if (this.servers !== null) resolver.setServers(this.servers);
    const cancel = () => resolver.cancel();
    deadline.addEventListener('abort', cancel, { once: true });
    const timers: NodeJS.Timeout[] = [];
    const hear = async (question: Promise<string[]>): Promise<DnsAnswer> => {
      try {
        const addresses = await question;
        if (addresses.length > 0) timers.push(setTimeout(cancel, SECOND_FAMILY_MS));
        return { addresses };
      } catch (error) {
        return { code: codeOf(error) };
      }
    };
    const [v4, v6] = await Promise.all([
      hear(resolver.resolve4(hostname)),
      hear(resolver.resolve6(hostname)),
    ]);
    for (const timer of timers) clearTimeout(timer);
    return resolveDnsAnswers(hostname, v4, v6);
  }
}

/** That of this system, for the whole process. */
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
