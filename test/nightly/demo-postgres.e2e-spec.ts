import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, chown, cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/demo/embedded-postgres.js';
import { findPackage, makeRunnable, unprivilegedUser } from '../../src/demo/postgres-binaries.js';
import { findPostmaster } from '../../src/demo/postmaster.js';
import { findProcess, waitUntilGone } from '../../src/demo/processes.js';

const run = promisify(execFile);
const isRoot = process.getuid?.() === 0;
let root: string;
const running: EmbeddedPostgres[] = [];

beforeEach(async () => {
  root = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-pg-demo-'));
  await chmod(root, 0o755);
});

afterEach(async () => {
  for (const postgres of running.splice(0)) await postgres.stop();
  await rm(root, { recursive: true, force: true });
});

async function start(dataDir: string): Promise<EmbeddedPostgres> {
  const postgres = await startEmbeddedPostgres({ dataDir, durable: false });
  running.push(postgres);
  return postgres;
}

async function answers(postgres: EmbeddedPostgres): Promise<boolean> {
  const client = new pg.Client({ connectionString: postgres.url });
  await client.connect();
  const { rows } = await client.query<{ one: number }>('select 1 as one');
  await client.end();
  return rows[0]?.one === 1;
}

/** Ends a server as a power cut would, its children included. */
async function crash(postgres: EmbeddedPostgres): Promise<string> {
  const pidFile = path.join(postgres.clusterDir, 'data', 'postmaster.pid');
  const left = await readFile(pidFile, 'utf8');
  process.kill(postgres.pid, 'SIGKILL');
  await waitUntilGone(postgres.pid, 5_000);
  return left;
}

/** What postmaster.pid says after a crash, but naming another process. */
const withPid = (pidFile: string, pid: number) => pidFile.replace(/^\d+/, String(pid));

describe('the embedded Postgres', () => {
  it('starts although its old process id now belongs to another program', async () => {
    const dataDir = path.join(root, 'data');
    const first = await start(dataDir);
    const left = await crash(first);
    const stranger = spawn('sleep', ['60'], { stdio: 'ignore' });
    await writeFile(path.join(first.clusterDir, 'data', 'postmaster.pid'), withPid(left, stranger.pid ?? 0));
    const second = await start(dataDir);
    expect(second.adopted).toBe(false);
    expect(await answers(second)).toBe(true);
    expect(stranger.exitCode).toBeNull();
    stranger.kill('SIGKILL');
  });

  it('does not mistake another Postgres for its own', async () => {
    const other = await start(path.join(root, 'other'));
    const first = await start(path.join(root, 'data'));
    const left = await crash(first);
    await writeFile(path.join(first.clusterDir, 'data', 'postmaster.pid'), withPid(left, other.pid));
    const second = await start(path.join(root, 'data'));
    expect(second.adopted).toBe(false);
    await second.stop();
    expect(await answers(other)).toBe(true);
  });

  it('waits for the children of a killed server before it starts the next', async () => {
    const first = await start(path.join(root, 'data'));
    const client = new pg.Client({ connectionString: first.url });
    client.on('error', () => undefined);
    await client.connect();
    const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid');
    const backend = rows[0]?.pid ?? 0;
    // A stopped backend cannot notice that its server died.
    process.kill(backend, 'SIGSTOP');
    await crash(first);
    let ready = false;
    const starting = start(path.join(root, 'data')).then((postgres) => {
      ready = true;
      return postgres;
    });
    // Much longer than a start takes.
    expect(await waitUntilGone(backend, 1_500)).toBe(false);
    expect(ready).toBe(false);
    process.kill(backend, 'SIGKILL');
    expect(await answers(await starting)).toBe(true);
    await client.end().catch(() => undefined);
  });

  it('starts again when the cluster was only partly created', async () => {
    const dataDir = path.join(root, 'data');
    const first = await start(dataDir);
    await first.stop();
    const { clusterDir } = first;
    await rm(path.join(clusterDir, 'data'), { recursive: true });
    await mkdir(path.join(clusterDir, 'data.new'));
    await writeFile(path.join(clusterDir, 'data.new', 'PG_VERSION'), '18\n');
    expect(await answers(await start(dataDir))).toBe(true);
    expect(await readdir(clusterDir)).not.toContain('data.new');
  });

  it.each([
    ['longer than a socket path may be', 'l'.repeat(110)],
    ['with blanks, commas and quotes', `it's, "a" demo é`],
  ])('works in a folder %s', async (_title, name) => {
    const first = await start(path.join(root, name));
    expect(await answers(first)).toBe(true);
    const second = await start(path.join(root, name));
    expect(second.adopted).toBe(true);
    expect(second.pid).toBe(first.pid);
  });

  it('restarts a server whose socket file was deleted', async () => {
    const dataDir = path.join(root, 'data');
    const first = await start(dataDir);
    await rm(path.join(first.clusterDir, 'run', '.s.PGSQL.5432'));
    const second = await start(dataDir);
    expect(second.pid).not.toBe(first.pid);
    expect(await findProcess(first.pid)).toBeNull();
    expect(await answers(second)).toBe(true);
  });

  it('reports the output of Postgres when it cannot start', async () => {
    const dataDir = path.join(root, 'data');
    const starting = startEmbeddedPostgres({ dataDir, durable: true, settings: { work_mem: 'lots' } });
    await expect(starting).rejects.toThrow(/did not start: .*\n[^]*work_mem/);
    expect(await findPostmaster(path.join(dataDir, 'postgres', 'data'))).toBeNull();
  });
});

describe('makeRunnable', () => {
  let home: string;
  let unpacked: { root: string; version: string };

  /** The package as npm unpacks it when install scripts are off: without its symbolic links. */
  beforeAll(async () => {
    home = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-home-'));
    await chmod(home, 0o755);
    unpacked = { root: path.join(home, 'package'), version: path.basename(home) };
    await cp((await findPackage()).root, unpacked.root, { recursive: true, verbatimSymlinks: true });
  });

  beforeEach(() => run('find', [unpacked.root, '-type', 'l', '-delete']));

  afterAll(async () => {
    await rm(home, { recursive: true });
    await rm(path.join(os.tmpdir(), copyName()), { recursive: true, force: true });
  });

  const copyName = () => `embedded-postgres-${unpacked.version}-0`;

  it('creates the links that an install without scripts lacks', async () => {
    const { postgres } = await makeRunnable(unpacked, await unprivilegedUser());
    expect(postgres).toBe(path.join(unpacked.root, 'native', 'bin', 'postgres'));
    expect((await run(postgres, ['--version'])).stdout).toMatch(/^postgres \(PostgreSQL\) 18/);
  });

  (isRoot ? it : it.skip)('runs no programs that another user may have put there', async () => {
    await chmod(home, 0o700);
    const user = await unprivilegedUser();
    const trap = path.join(os.tmpdir(), copyName());
    await mkdir(trap);
    await chown(trap, user?.uid ?? 0, user?.gid ?? 0);
    const { postgres } = await makeRunnable(unpacked, user);
    expect(postgres).toBe(`/var/lib/crypto-payment-gateway/${copyName()}/native/bin/postgres`);
    await rm(path.resolve(postgres, '../../..'), { recursive: true });
    await rm(trap, { recursive: true });
  });

  (isRoot ? it : it.skip)('copies the programs out of a checkout that their user cannot enter', async () => {
    await chmod(home, 0o700);
    const user = await unprivilegedUser();
    const copy = path.join(os.tmpdir(), copyName());
    const found = await Promise.all([makeRunnable(unpacked, user), makeRunnable(unpacked, user)]);
    for (const { postgres } of found) expect(postgres).toBe(path.join(copy, 'native', 'bin', 'postgres'));
    expect((await run(found[0].postgres, ['--version'], { ...user, cwd: '/' })).stdout).toMatch(/PostgreSQL/);

    // Cleaners of temporary folders take files one by one.
    await rm(path.join(copy, 'native', 'lib'), { recursive: true });
    const again = await makeRunnable(unpacked, user);
    expect((await run(again.initdb, ['--version'], { ...user, cwd: '/' })).stdout).toMatch(/PostgreSQL/);
    const left = (await readdir(os.tmpdir())).filter((name) => name.startsWith(copyName()));
    expect(left).toEqual([path.basename(copy)]);
  });
});

describe('the lock on a data directory', () => {
  const HOLDER = `
    const { lockDataDir } = await import(process.argv[1]);
    try {
      await lockDataDir(process.argv[2]);
      console.log('held');
      setInterval(() => undefined, 60_000);
    } catch (error) {
      console.log(error.name);
    }
  `;

  async function contend(): Promise<{ child: ChildProcess; outcome: string }> {
    const args = [
      '--import',
      path.resolve('scripts/register-typescript.mjs'),
      '--input-type=module',
      '-e',
      HOLDER,
    ];
    const module = path.resolve('src/demo/data-dir-lock.ts');
    const child = spawn(process.execPath, [...args, module, root], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [chunk] = (await once(child.stdout, 'data')) as [Buffer];
    return { child, outcome: chunk.toString('utf8').trim() };
  }

  it('is held by one of many concurrent starts, and is free once its holder was killed', async () => {
    const all = await Promise.all(Array.from({ length: 5 }, contend));
    expect(all.map(({ outcome }) => outcome).sort()).toEqual([
      'DataDirBusyError',
      'DataDirBusyError',
      'DataDirBusyError',
      'DataDirBusyError',
      'held',
    ]);
    for (const { child } of all) child.kill('SIGKILL');
    for (const { child } of all) await waitUntilGone(child.pid ?? 0, 5_000);
    const next = await contend();
    expect(next.outcome).toBe('held');
    next.child.kill('SIGKILL');
  });
});
