// Where the documentation is tried: a copy of the repository with the development profile running in it, a shop that
// takes webhooks, and pay.example.com, which the documents use as an example, answering with TLS.
import { once } from 'node:events';
import { chmod, cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import http from 'node:http';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import tls from 'node:tls';
import '../../../scripts/register-typescript.mjs';
import { killProcesses } from '../checks.mjs';
import { setCallback } from '../client.mjs';
import { announced, freePort, spawnGateway } from '../development.mjs';
import { installPackages } from '../packages.mjs';

const { selfSigned } = await import('../../support/self-signed.ts');

const root = path.resolve(import.meta.dirname, '../../..');
const NOT_COPIED = new Set(['.git', '.data', 'coverage', 'node_modules', 'sdk/dist']);
const HOST = 'pay.example.com';

/** What stands for a container engine: `docker compose exec` runs its command in the gateway's folder instead. */
const DOCKER = `#!/usr/bin/env bash
[ "$1 $2" = 'compose exec' ] || { echo "docker $*: no container engine here" >&2; exit 125; }
shift 2
[ "$1" = -T ] && shift
shift
exec "$@"
`;

export async function openHarness() {
  const work = await mkdtemp(path.join(os.tmpdir(), 'gateway-docs-'));
  // As root, Postgres runs as another user, who must pass through.
  await chmod(work, 0o711);
  const harness = { work, clone: path.join(work, 'crypto-payment-gateway'), servers: [] };
  const filter = (source) => !NOT_COPIED.has(path.relative(root, source));
  // With their times: `npm start` builds again where a source is newer than its output.
  await cp(root, harness.clone, { recursive: true, filter, preserveTimestamps: true });
  await installPackages(harness.clone);
  harness.port = await freePort();
  harness.logFile = path.join(work, 'start.log');
  const factsFile = path.join(harness.clone, '.data/demo.json');
  const env = { PORT: String(harness.port) };
  harness.gateway = await spawnGateway({ cwd: harness.clone, env, logFile: harness.logFile, factsFile });
  return harness;
}

export async function awaitWorld(harness) {
  const { facts } = await announced(harness.gateway);
  harness.facts = facts;
  harness.databaseUrl = await databaseUrlOf(harness.clone);
  harness.receiver = await startReceiver(harness);
  await setCallback(facts, harness.receiver.url);
  await startTls(harness);
  const bin = path.join(harness.work, 'bin');
  await mkdir(bin);
  await writeFile(path.join(bin, 'docker'), DOCKER, { mode: 0o755 });
  harness.env = { CURL_HOME: harness.work, PATH: `${bin}:${process.env.PATH}`, PORT: String(harness.port) };
}

/** From what the server of the development profile writes: the folder of its socket is the fifth line of its pid file. */
async function databaseUrlOf(clone) {
  const { clusterDir } = JSON.parse(await readFile(path.join(clone, '.data/postgres.json'), 'utf8'));
  const lines = (await readFile(path.join(clusterDir, 'data/postmaster.pid'), 'utf8')).split('\n');
  return `postgres://gateway@localhost:5432/postgres?host=${encodeURIComponent(lines[4].trim())}&sslmode=disable`;
}

/** The shop: says yes to every webhook and keeps it. */
async function startReceiver(harness) {
  const requests = [];
  const server = http.createServer((request, response) => {
    request.toArray().then(
      (chunks) => {
        requests.push({ headers: request.headers, body: Buffer.concat(chunks) });
        response.writeHead(204).end();
      },
      () => response.destroy(),
    );
  });
  const port = await listen(server, harness);
  return { requests, url: `http://127.0.0.1:${port}/webhooks/payments` };
}

/** curl finds the example's host here, trusts it, and fails where an answer is an error. */
async function startTls(harness) {
  const { cert, key } = selfSigned(HOST);
  const server = tls.createServer({ cert, key }, (socket) => {
    const upstream = net.connect(harness.port, '127.0.0.1');
    for (const [one, other] of [
      [socket, upstream],
      [upstream, socket],
    ])
      one.on('error', () => other.destroy()).pipe(other);
  });
  const port = await listen(server, harness);
  harness.tlsPort = port;
  await writeFile(path.join(harness.work, 'ca.pem'), cert);
  const lines = [
    'fail-with-body',
    `connect-to = "${HOST}:443:127.0.0.1:${port}"`,
    `cacert = "${path.join(harness.work, 'ca.pem')}"`,
  ];
  await writeFile(path.join(harness.work, '.curlrc'), `${lines.join('\n')}\n`);
}

async function listen(server, harness) {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  harness.servers.push(server);
  return server.address().port;
}

export async function closeHarness({ work, servers }) {
  for (const server of servers) {
    server.close();
    server.closeAllConnections?.();
  }
  await killProcesses(work);
  await rm(work, { recursive: true, force: true });
}
