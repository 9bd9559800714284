import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import pg from 'pg';
import type { Options } from './benchmark.js';
import { atTheEnd } from './cleanup.js';
import type { BenchDatabase } from './database.js';
import type { Hook, RawClient } from './hooks.js';
import type { Cases, Sample } from './measure.js';

const FOLDER = path.resolve(import.meta.dirname, '..');
const require = createRequire(path.join(FOLDER, 'package.json'));
/** Jobs under way at once, in each peer. */
const CONCURRENCY = 64;

/** A queue that delivers jobs from a database. */
export interface HookPeer {
  add(hooks: readonly Hook[]): Promise<void>;
  stop(): Promise<void>;
}

type OpenPeer = (databaseUrl: string, deliver: (hook: Hook) => Promise<void>) => Promise<HookPeer>;

/** What is used of graphile-worker 0.16. */
interface GraphileWorker {
  Logger: new (make: () => () => void) => object;
  makeWorkerUtils(options: object): Promise<{
    migrate(): Promise<void>;
    addJob(task: string, payload: object): Promise<unknown>;
    release(): Promise<void>;
  }>;
  run(options: object): Promise<{ stop(): Promise<void> }>;
}

/** What is used of pg-boss 10. */
type PgBoss = new (options: object) => {
  on(event: 'error', hear: (error: Error) => void): void;
  start(): Promise<unknown>;
  createQueue(name: string): Promise<void>;
  work(name: string, options: object, work: (jobs: { data: Hook }[]) => Promise<void>): Promise<string>;
  insert(jobs: object[]): Promise<unknown>;
  stop(options: object): Promise<void>;
};

/**
 * A case for each peer that is installed, on an empty database; none in a look at whether the benchmark runs.
 * @param raw posts what the peer is to deliver
 */
export function peerCases(
  { scale }: Options,
  database: BenchDatabase,
  raw: RawClient,
  measure: (peer: HookPeer) => Promise<Sample>,
): Cases {
  if (scale === 0) return {};
  const run = async (open: OpenPeer): Promise<Sample> => {
    const url = await database.empty();
    const peer = await open(url, (hook) => raw.post(hook));
    try {
      return await measure(peer);
    } finally {
      await peer.stop();
      await database.drop(url);
    }
  };
  return Object.fromEntries(Object.entries(hookPeers()).map(([name, open]) => [name, () => run(open)]));
}

/** The peers that `npm --prefix bench ci` installed. */
function hookPeers(): Record<string, OpenPeer> {
  const isThere = (name: string) => existsSync(path.join(FOLDER, 'node_modules', name));
  return {
    ...(isThere('graphile-worker') && { 'graphile-worker 0.16': openGraphileWorker }),
    ...(isThere('pg-boss') && { 'pg-boss 10': openPgBoss }),
  };
}

const openGraphileWorker: OpenPeer = async (databaseUrl, deliver) => {
  const { Logger, makeWorkerUtils, run } = require('graphile-worker') as GraphileWorker;
  const pgPool = poolOf(databaseUrl);
  const logger = new Logger(() => () => undefined);
  const utils = await makeWorkerUtils({ pgPool, logger });
  await utils.migrate();
  const runner = await run({
    pgPool,
    logger,
    noHandleSignals: true,
    concurrency: CONCURRENCY,
    pollInterval: 500,
    taskList: { hook: (payload: unknown) => deliver(payload as Hook) },
  });
  return {
    add: async (hooks) => {
      const [one] = hooks;
      if (one && hooks.length === 1) return void (await utils.addJob('hook', one));
      await pgPool.query(
        `select graphile_worker.add_jobs(array(
           select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'hook', 'payload', hook))
           from json_array_elements($1::json) hook))`,
        [JSON.stringify(hooks)],
      );
    },
    stop: async () => {
      await runner.stop();
      await utils.release();
      await pgPool.end();
    },
  };
};

const openPgBoss: OpenPeer = async (databaseUrl, deliver) => {
  const Boss = require('pg-boss') as PgBoss;
  const boss = new Boss({ connectionString: databaseUrl, max: 20 });
  boss.on('error', (error) => console.error(`   pg-boss: ${error.message}`));
  await boss.start();
  await boss.createQueue('hook');
  const work = (jobs: { data: Hook }[]) =>
    Promise.all(jobs.map(({ data }) => deliver(data))).then(() => undefined);
  // Its shortest poll, and four workers of a hundred jobs each.
  for (let i = 0; i < 4; i++) await boss.work('hook', { batchSize: 100, pollingIntervalSeconds: 0.5 }, work);
  return {
    add: async (hooks) => void (await boss.insert(hooks.map((data) => ({ name: 'hook', data })))),
    stop: () => boss.stop({ graceful: false }),
  };
};

/** Connections of a peer. */
export function poolOf(databaseUrl: string): pg.Pool {
  const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
  // It ends with the database, also when a signal, or the benchmark itself, ends that first.
  pool.on('error', (error) => console.error(`   peer: ${error.message}`));
  atTheEnd(async () => (pool.ended ? undefined : pool.end()));
  return pool;
}
