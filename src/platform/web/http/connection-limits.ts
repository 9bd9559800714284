import { readFileSync } from 'node:fs';
import type { IncomingMessage, Server } from 'node:http';
import type { Socket } from 'node:net';
import { Logger } from '@nestjs/common';
import { addressKey } from '../../kernel/client-address.pure.js';
import type { Meters } from '../../kernel/meters.js';

/** Bounds for the open connections of one process. */
export interface ConnectionBounds {
  total: number;
  /** Of one client address; trusted proxies bring many clients and are not bounded. */
  perAddress: number;
  /** Milliseconds until a client must have sent the head of its first request. */
  firstRequestMs: number;
}

/** How often Node looks for requests that exceed `headersTimeout` or `requestTimeout`; its default is 30 s. */
const CHECK_INTERVAL_MS = 5_000;

/**
 * Bounds how many connections clients can hold open, so that they cannot use up the file descriptors that nodes,
 * webhooks and the database need as well, and closes those that send nothing.
 */
export function limitConnections(
  server: Server,
  { total, perAddress, firstRequestMs }: ConnectionBounds,
  isTrustedProxy: (address: string) => boolean,
  dropped: Meters['droppedConnections'],
): void {
  server.maxConnections = boundOfTotal(total, openFilesLimit());
  server.on('drop', () => dropped.inc({ reason: 'total' }));
  // Read when the server starts to listen; it is not in the types of http.Server.
  Object.assign(server, { connectionsCheckingInterval: CHECK_INTERVAL_MS });

  const silent = new Map<Socket, NodeJS.Timeout>();
  server.on('request', ({ socket }: IncomingMessage) => {
    clearTimeout(silent.get(socket));
    silent.delete(socket);
  });

  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    const timeout = setTimeout(() => {
      dropped.inc({ reason: 'silent' });
      socket.destroy();
    }, firstRequestMs);
    silent.set(socket, timeout.unref());
    const address =
      remoteAddress !== undefined && isTrustedProxy(remoteAddress) ? null : addressKey(remoteAddress);
    if (address !== null) open.set(address, (open.get(address) ?? 0) + 1);
    socket.once('close', () => {
      clearTimeout(silent.get(socket));
      silent.delete(socket);
      if (address === null) return;
      const left = (open.get(address) ?? 1) - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (address !== null && (open.get(address) ?? 0) > perAddress) {
      dropped.inc({ reason: 'address' });
      socket.destroy();
    }
  });
}

/** At most half of the files that the process may open: the rest is for its own connections. */
export function boundOfTotal(configured: number, openFiles: number | null): number {
  const half = openFiles === null ? configured : Math.floor(openFiles / 2);
  if (configured <= half) return configured;
  new Logger('Http').warn(
    { configured, openFiles, used: half },
    'MAX_CONNECTIONS is more than half of the files that this process may open: the half is used',
  );
  return half;
}

/** The soft limit of open files of this process; null where the system does not show it (outside of Linux). */
export function openFilesLimit(): number | null {
  try {
    const [, soft] = /^Max open files\s+(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8')) ?? [];
    return soft === undefined ? null : Number(soft);
  } catch {
    return null;
  }
}
