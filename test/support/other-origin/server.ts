import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import path from 'node:path';

const PAGE = '<!doctype html><html lang="en"><title>Another origin</title><link rel="icon" href="data:,">';

/** A merchant's own website: static pages and scripts on a port, and therefore an origin, of its own. */
export interface OtherOrigin {
  origin: string;
  stop(): Promise<void>;
}

/** @param sdk folder of the built client package, served below /sdk/ */
export async function startOtherOrigin(sdk: string): Promise<OtherOrigin> {
  const oauthClient = createRequire(import.meta.url).resolve('oauth4webapi');
  const folders: Record<string, string> = {
    '/sdk/': sdk,
    '/oauth4webapi/': path.dirname(oauthClient),
    '/scripts/': import.meta.dirname,
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://localhost');
    const [prefix, folder] = Object.entries(folders).find(([one]) => pathname.startsWith(one)) ?? [];
    if (prefix === undefined || folder === undefined) {
      response.writeHead(200, { 'Content-Type': 'text/html; charset=utf-8' }).end(PAGE);
      return;
    }
    readFile(path.join(folder, path.basename(pathname))).then(
      (bytes) => response.writeHead(200, { 'Content-Type': 'text/javascript; charset=utf-8' }).end(bytes),
      () => response.writeHead(404).end(),
    );
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://127.0.0.1:${port}`,
    stop: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
