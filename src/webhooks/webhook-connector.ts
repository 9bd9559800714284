import type { LookupFunction, Socket } from 'node:net';
import { callbackify } from 'node:util';
import { buildConnector } from 'undici';
import { refusalOfAddress, type WebhookUrlPolicy } from '../applications/webhook-url-policy.pure.js';
import { resolveHost, type ResolveHost } from '../platform/kernel/dns/host-resolver.js';
import { type EgressProxy, openTunnel } from './egress-proxy.js';
import { TargetRefusedError } from './send-failure.pure.js';

export interface ConnectorOptions {
  policy: WebhookUrlPolicy;
  /** For the connection, and once more for TLS. */
  timeoutMs: number;
  /** Default: hosts file, DNS and whatever else the system uses (host-resolver.ts). */
  resolve?: ResolveHost | undefined;
  /** Trusted certificates in PEM. Default: Node's own and those of NODE_EXTRA_CA_CERTS. */
  ca?: string | undefined;
  /** Makes every connection and resolves every name instead of the gateway. */
  proxy: EgressProxy | null;
}

type Connector = buildConnector.connector;

/** Share of the connection timeout for DNS, so that a slow lookup is reported as such and time to connect remains. */
const LOOKUP_SHARE = 0.8;

/**
 * Opens the connections of webhooks (specification/webhooks.md#target-addresses). The URL was checked before, including
 * a host that is an IP address. Without a proxy, every address that a name resolves to is checked (one refused address
 * refuses the name), the socket may use only these, and the address it reached is checked before a byte is written.
 * TLS follows and always verifies the certificate against the name in the URL, through a proxy too.
 */
export function webhookConnector(options: ConnectorOptions): Connector {
  const open = options.proxy ? throughProxy(options.proxy, options.timeoutMs) : directly(options);
  const secure = buildConnector({
    timeout: options.timeoutMs,
    ...(options.ca !== undefined && { ca: options.ca }),
  });
  return (target, callback) => {
    open(target, (error, socket) => {
      if (error) return callback(error, null);
      if (target.protocol !== 'https:') return callback(null, socket);
      secure({ ...target, httpSocket: socket }, callback);
    });
  };
}

function throughProxy(proxy: EgressProxy, timeoutMs: number): Connector {
  const open = callbackify((hostname: string, port: number) => openTunnel(proxy, hostname, port, timeoutMs));
  return (target, callback) =>
    open(target.hostname, portOf(target), (error, socket) =>
      error ? callback(error, null) : callback(null, socket),
    );
}

function directly({ policy, timeoutMs, resolve = resolveHost }: ConnectorOptions): Connector {
  const connect = buildConnector({
    timeout: timeoutMs,
    lookup: checkedLookup(resolve, timeoutMs * LOOKUP_SHARE, policy),
  });
  return (target, callback) => {
    // Plain TCP, whatever will be spoken over it.
    connect({ ...target, protocol: 'http:', port: String(portOf(target)) }, (error, socket) => {
      if (error) return callback(error, null);
      const reason = refusalOfReached(socket, policy);
      if (reason === null) return callback(null, socket);
      socket.destroy();
      callback(new TargetRefusedError(reason), null);
    });
  };
}

function refusalOfReached(socket: Socket, policy: WebhookUrlPolicy): string | null {
  return refusalOfAddress(socket.remoteAddress ?? '', policy);
}

/** Hands the socket nothing but checked addresses, so that a second lookup with another result cannot be used. */
function checkedLookup(resolve: ResolveHost, timeoutMs: number, policy: WebhookUrlPolicy): LookupFunction {
  const resolveChecked = callbackify(async (hostname: string) => {
    const addresses = await resolve(hostname, timeoutMs);
    for (const { address } of addresses) {
      const reason = refusalOfAddress(address, policy);
      if (reason !== null) throw new TargetRefusedError(reason);
    }
    if (addresses.length === 0) throw new TargetRefusedError('the host name has no address');
    return addresses;
  });
  return (hostname, { all }, callback) =>
    resolveChecked(hostname, (error, addresses) => {
      if (error) callback(error, '');
      else if (all) callback(null, addresses);
      else callback(null, addresses[0]?.address ?? '', addresses[0]?.family);
    });
}

function portOf({ port, protocol }: buildConnector.Options): number {
  if (port !== '') return Number(port);
  return protocol === 'https:' ? 443 : 80;
}
