import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { type Sample, treeCpu } from './measure.js';

const FOLDER = path.resolve(import.meta.dirname, '..');
const PROGRAM = path.join(FOLDER, 'node_modules/ponder/dist/esm/bin/ponder.js');
/** What the peer logs when it begins to fetch, and when it has everything. */
const BEGUN = /Started backfill|Started fetching|Started historical|backfill/i;
const DONE = /Completed indexing across all chains|Completed backfill indexing across all chains/;

/** What the peer is to do. */
export interface PonderTask {
  rpcUrl: string;
  databaseUrl: string;
  token: string;
  from: number;
  to: number;
  /** File of addresses, one a line. */
  watched: string;
  /** Names its tables; another one a run. */
  schema: string;
  deadlineMs: number;
}

/** Whether bench/package.json was installed: `npm --prefix bench ci`. */
export function hasPonder(): boolean {
  return existsSync(PROGRAM);
}

/**
 * Lets ponder index the range into an empty database. Its start is not counted: the time runs from its own line that
 * says it begins.
 * @returns null when it was not done in time
 */
export async function runPonder(
  task: PonderTask,
  operations: number,
  postgresCpu: () => number,
): Promise<Sample | null> {
  const child = spawn(
    process.execPath,
    [PROGRAM, 'start', '--schema', task.schema, '--port', '0', '--log-format', 'json'],
    {
      cwd: path.join(FOLDER, 'ponder'),
      stdio: ['ignore', 'pipe', 'pipe'],
      env: {
        ...process.env,
        NODE_OPTIONS: '',
        PONDER_TELEMETRY_DISABLED: '1',
        BENCH_RPC: task.rpcUrl,
        BENCH_DATABASE: task.databaseUrl,
        BENCH_TOKEN: task.token,
        BENCH_FROM: String(task.from),
        BENCH_TO: String(task.to),
        BENCH_WATCHED: task.watched,
      },
    },
  );
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const before = postgresCpu();
  try {
    const seconds = await secondsOfWork(child, task.deadlineMs);
    if (seconds === null || child.pid === undefined) return null;
    return { seconds, operations, cpu: { peer: treeCpu(child.pid), postgres: postgresCpu() - before } };
  } finally {
    child.kill('SIGKILL');
    await ended;
  }
}

function secondsOfWork(child: ChildProcess, deadlineMs: number): Promise<number | null> {
  return new Promise((resolve) => {
    let [said, begun, isOver] = ['', 0, false];
    const give = (seconds: number | null, why = ''): void => {
      clearTimeout(timer);
      if (isOver) return;
      isOver = true;
      if (seconds === null) console.error(`   ponder ${why}: ${said.slice(-2_000)}`);
      resolve(seconds);
    };
    const timer = setTimeout(() => give(null, 'was too slow'), deadlineMs);
    const hear = (chunk: Buffer): void => {
      said += chunk.toString('utf8');
      if (begun === 0 && BEGUN.test(said)) begun = performance.now();
      if (DONE.test(said)) give((performance.now() - begun) / 1_000);
    };
    child.stdout?.on('data', hear);
    child.stderr?.on('data', hear);
    child.once('exit', () => give(null, 'ended'));
  });
}
