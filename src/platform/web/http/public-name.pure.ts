import { canParseUrl } from '../contract/url.pure.js';

/* Which requests for a page lead to the public address (specification/operations.md#one-public-name). */

/** A request as it arrived. */
export interface Arrival {
  method: string;
  /** Without the query. */
  path: string;
  /** What the client asked for: `Host`, or `X-Forwarded-Host` where a trusted proxy wrote it. */
  host: string | undefined;
  isForwardedHost: boolean;
  localPort: number | undefined;
  isFromThisMachine: boolean;
  /** It was led here a moment ago. */
  wasMoved: boolean;
}

const UUID = '[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}';
/** What people open. Scripts ask for the rest, by relative addresses; `/api/` and health checks are for programs. */
const PAGE = new RegExp(
  `^/(?:dashboard(?!/assets/|/session(?:/|$))(?:/[^/]*){0,3}|(?:checkout|receipt|refund)/${UUID}/?|(?:collector|verify-address)/?)?$`,
  'i',
);
/** Names that proxies write for what is behind them, and never a name that people type. */
const INTERNAL = /(?:^[^.]*|\.(?:internal|local|lan|svc|cluster\.local))$|^[\d.]+$|^\[/i;

/**
 * Whether the request is one for a page under another name than the public one, and the public one surely leads here:
 * this process serves it itself, or a trusted proxy says which name was asked for, or the name is one that people type.
 * Otherwise it may be a proxy that puts its own name for this process in place of the public one, which would be led
 * in a circle. A browser is never led twice within seconds.
 */
export function leadsElsewhere(arrival: Arrival, base: URL): boolean {
  const { method, path, host, wasMoved } = arrival;
  if ((method !== 'GET' && method !== 'HEAD') || !PAGE.test(path) || wasMoved || !host) return false;
  const asked = readHost(host, base.protocol);
  if (asked === null || asked.host === base.host) return false;
  // On another machine it would be that machine.
  if (isLoopback(base.hostname) && !arrival.isFromThisMachine) return false;
  const isDirect = base.protocol === 'http:' && portOf(base) === arrival.localPort;
  const isTyped = !INTERNAL.test(asked.hostname) && portOf(asked) === portOf(base);
  return isDirect || arrival.isForwardedHost || isTyped;
}

function readHost(host: string, protocol: string): URL | null {
  const text = `${protocol}//${host}`;
  return /^[\w.:[\]-]+$/.test(host) && canParseUrl(text) ? new URL(text) : null;
}

function portOf({ port, protocol }: URL): number {
  return port === '' ? (protocol === 'https:' ? 443 : 80) : Number(port);
}

export function isLoopback(host: string): boolean {
  return /^(?:localhost|(?:.*\.)?localhost|127(?:\.\d+){3}|(?:::ffff:)?127(?:\.\d+){3}|\[?::1\]?)$/i.test(
    host,
  );
}
