import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { Pool } from 'undici';
import { demand } from './benchmark.js';
import { atTheEnd } from './cleanup.js';
import type { ServerKind } from './api-servers.js';
import type { BenchDatabase } from './database.js';
import { type Sample, timed, treeCpu } from './measure.js';

/** A request, and the status of the response that it must get. */
export interface Call {
  method: 'GET' | 'POST';
  path: string;
  headers?: Record<string, string>;
  body?: string;
  status: number;
}

export interface Answer {
  headers: Record<string, string | string[] | undefined>;
  text: string;
}

/** What a gateway tells of the merchant that it has made. */
export interface Merchant {
  token: string;
  /** Of the merchant as a person: lists take no other. */
  accessToken: string;
  applicationId: string;
  clientId: string;
  userId: string;
}

/** Makes `count` calls, `clients` at a time. @param cpu the processes whose CPU counts */
export async function runCalls(
  count: number,
  clients: number,
  call: (i: number) => Promise<unknown>,
  cpu: Record<string, () => number>,
): Promise<Sample> {
  const latencies: number[] = [];
  let next = 0;
  const work = async () => {
    for (let i = next++; i < count; i = next++) {
      const begun = performance.now();
      await call(i);
      latencies.push(performance.now() - begun);
    }
  };
  const sample = await timed(cpu, async () => {
    await Promise.all(Array.from({ length: clients }, work));
    return count;
  });
  return { ...sample, latencies };
}

/** A server under measurement, and clients that are kept alive. */
export class ApiServer {
  private readonly pools = new Map<number, Pool>();

  private constructor(
    private readonly child: ChildProcess,
    private readonly database: BenchDatabase,
    private readonly origin: string,
    readonly merchant: Merchant,
  ) {}

  /** @param needs configuration of a gateway; for the others the merchant that it has made */
  static async start(
    kind: ServerKind,
    database: BenchDatabase,
    databaseUrl: string,
    needs: Record<string, string>,
  ): Promise<ApiServer> {
    const file = path.join(import.meta.dirname, 'api-process.mjs');
    const child = fork(file, [kind, databaseUrl, JSON.stringify(needs)], { execArgv: [] });
    const ended = once(child, 'exit').then(() => {
      throw new Error(`${kind} did not start`);
    });
    ended.catch(() => undefined);
    const [{ port, merchant }] = (await Promise.race([once(child, 'message'), ended])) as [
      { port: number; merchant: Merchant },
    ];
    const server = new ApiServer(child, database, `http://127.0.0.1:${port}`, merchant);
    atTheEnd(() => server.stop());
    return server;
  }

  /** Makes `count` calls, `clients` at a time. @returns what was measured of them all */
  run(count: number, clients: number, callOf: (i: number) => Call): Promise<Sample> {
    const cpu = { server: () => this.cpu(), postgres: () => this.database.cpu() };
    return runCalls(count, clients, (i) => this.call(callOf(i), clients), cpu);
  }

  /** Microseconds of CPU so far. */
  cpu(): number {
    return treeCpu(this.child.pid ?? 0);
  }

  async call({ method, path: target, headers, body, status }: Call, clients = 1): Promise<Answer> {
    const answer = await this.poolOf(clients).request({ method, path: target, headers, body });
    const text = await answer.body.text();
    demand(answer.statusCode === status, `${method} ${target}: ${answer.statusCode} ${text.slice(0, 300)}`);
    return { headers: answer.headers, text };
  }

  private poolOf(clients: number): Pool {
    let pool = this.pools.get(clients);
    if (!pool) this.pools.set(clients, (pool = new Pool(this.origin, { connections: clients })));
    return pool;
  }

  private async stop(): Promise<void> {
    for (const pool of this.pools.values()) await pool.destroy();
    if (this.child.exitCode !== null) return;
    const ended = once(this.child, 'exit');
    this.child.disconnect();
    await ended;
  }
}
