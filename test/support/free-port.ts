import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports that a kernel gives to outgoing connections and to servers without a port of their own (from 32,768 on
 * Linux, from 49,152 elsewhere): one of those could take a port between its being found free and its being used.
 */
const FIRST = 20_000;
const WORKERS = 12;
const PER_WORKER = 1_000;

// Test files that run at the same time have different workers, and harnesses different processes. Within one, ports are
// given in turn.
const worker = Number(process.env['JEST_WORKER_ID'] ?? process.pid) % WORKERS;
let next = randomInt(PER_WORKER);

/** A port of 127.0.0.1 that nothing uses, and that nothing else takes before the caller does. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < PER_WORKER; tries++) {
    const port = FIRST + worker * PER_WORKER + (next++ % PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error(`no free port among the ${PER_WORKER} of worker ${worker}`);
}

async function isFree(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return false;
    throw error;
  }
  server.close();
  await once(server, 'close');
  return true;
}
