import { type ClientRequest, request as requestByHttp } from 'node:http';
import { request as requestByHttps } from 'node:https';
import type { Socket } from 'node:net';
import { describeFailure, EgressProxyError } from './send-failure.pure.js';

/** The operator's egress proxy (WEBHOOK_PROXY_URL). */
export interface EgressProxy {
  /** http or https, without user information. */
  url: URL;
  /** `Basic …` (RFC 7617); null: no credentials. */
  authorization: string | null;
}

/** @param url an http(s) URL; user name and password may be percent-encoded */
export function readEgressProxy(url: string): EgressProxy {
  const parsed = new URL(url);
  const credentials = [parsed.username, parsed.password].map(decodeURIComponent).join(':');
  const authorization = credentials === ':' ? null : `Basic ${Buffer.from(credentials).toString('base64')}`;
  return { url: new URL(parsed.origin), authorization };
}

/**
 * A connection to a host through a proxy (CONNECT: RFC 9110, section 9.3.6), also for plain http, so that the proxy need
 * not read the requests.
 * @param hostname a name, or an address without brackets
 * @throws EgressProxyError
 */
export function openTunnel(
  { url, authorization }: EgressProxy,
  hostname: string,
  port: number,
  timeoutMs: number,
): Promise<Socket> {
  const authority = `${hostname.includes(':') ? `[${hostname}]` : hostname}:${port}`;
  const send = url.protocol === 'https:' ? requestByHttps : requestByHttp;
  const request = send(url, {
    method: 'CONNECT',
    path: authority,
    headers: { Host: authority, ...(authorization !== null && { 'Proxy-Authorization': authorization }) },
    agent: false,
  });
  return settled(request, timeoutMs);
}

function settled(request: ClientRequest, timeoutMs: number): Promise<Socket> {
  return new Promise<Socket>((resolve, reject) => {
    const timer = setTimeout(
      () => request.destroy(new EgressProxyError(`no response within ${timeoutMs} ms`)),
      timeoutMs,
    );
    request.once('connect', ({ statusCode = 0 }, socket: Socket, head: Buffer) => {
      clearTimeout(timer);
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head);
        return resolve(socket);
      }
      socket.destroy();
      reject(new EgressProxyError(`HTTP ${statusCode}`));
    });
    request.once('error', (error) => {
      clearTimeout(timer);
      reject(error instanceof EgressProxyError ? error : new EgressProxyError(describeFailure(error)));
    });
    request.end();
  });
}
