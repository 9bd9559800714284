import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, readFile, realpath, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '../../src/demo/embedded-postgres.js';
import { findPackage } from '../../src/demo/postgres-binaries.js';

const run = promisify(execFile);
/** Each logged error begins with its SQLSTATE, and the locker of this test never gives way in a deadlock. */
const SETTINGS = { log_line_prefix: '%e ', max_connections: '60', deadlock_timeout: '200ms' };
const TABLESPACE = 'small';

/** A real Postgres that loses nothing it has committed, and can be made to crash and to run out of space. */
export class PostgresServer {
  private constructor(
    readonly folder: string,
    private running: EmbeddedPostgres,
  ) {}

  static async start(): Promise<PostgresServer> {
    const folder = await realpath(await mkdtemp(path.join(os.tmpdir(), 'gateway-faults-pg-')));
    // As root the server runs as another user, who must pass through.
    await chmod(folder, 0o711);
    return new PostgresServer(folder, await boot(folder));
  }

  /** URL of the socket, for clients that bypass the proxy. */
  get adminUrl(): string {
    return this.running.url;
  }

  get socket(): string {
    const host = new URL(this.running.url).searchParams.get('host') ?? '';
    return path.join(host, '.s.PGSQL.5432');
  }

  /** `pg_ctl stop -m immediate`: every process of the server ends at once, and the next start recovers. */
  async crash(): Promise<void> {
    const { root } = await findPackage();
    const data = path.join(this.running.clusterDir, 'data');
    const { uid, gid } = await stat(data);
    const args = ['-D', data, 'stop', '-m', 'immediate', '-s'];
    await run(path.join(root, 'native/bin/pg_ctl'), args, { uid, gid, cwd: data, env: { LC_ALL: 'C' } });
  }

  async startAgain(): Promise<void> {
    this.running = await boot(this.folder);
  }

  /** How often the server has answered each SQLSTATE since its first start. */
  async sqlStates(): Promise<Map<string, number>> {
    const log = await readFile(path.join(this.running.clusterDir, 'postgres.log'), 'utf8');
    const counts = new Map<string, number>();
    for (const [, state = ''] of log.matchAll(/^([0-9A-Z]{5}) (?:ERROR|FATAL|PANIC): /gm))
      counts.set(state, (counts.get(state) ?? 0) + 1);
    return counts;
  }

  /** A database whose tables lie on a disk of their own, of so many MiB; null where nothing may be mounted. */
  async createDatabaseOnSmallDisk(name: string, mebibytes: number): Promise<string | null> {
    const mount = path.join(this.folder, 'disk');
    await mkdir(mount);
    const { uid, gid } = await stat(path.join(this.running.clusterDir, 'data'));
    const options = `size=${mebibytes}m,uid=${uid},gid=${gid},mode=700`;
    try {
      await run('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', mount]);
    } catch {
      return null;
    }
    await withClient(this.adminUrl, async (admin) => {
      await admin.query(`create tablespace ${TABLESPACE} location '${mount}'`);
      await admin.query(`create database ${name} tablespace ${TABLESPACE}`);
    });
    return mount;
  }

  async stop(): Promise<void> {
    await this.running.stop();
    const mount = path.join(this.folder, 'disk');
    const isMounted = (await readFile('/proc/mounts', 'utf8')).includes(` ${mount} `);
    if (isMounted) await run('umount', [mount]);
    for (const folder of [this.running.clusterDir, this.folder])
      await rm(folder, { recursive: true, force: true });
  }
}

function boot(dataDir: string): Promise<EmbeddedPostgres> {
  return startEmbeddedPostgres({
    dataDir,
    durable: true,
    settings: SETTINGS,
    bin: process.env['POSTGRES_BIN'],
  });
}

export async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: url });
  client.on('error', () => client.emit('cut'));
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** Whether a file is there. */
export async function exists(file: string): Promise<boolean> {
  return access(file).then(
    () => true,
    () => false,
  );
}
