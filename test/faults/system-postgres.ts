import { execFile } from 'node:child_process';
import { chmod, chown, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { withClient } from './postgres-server.js';
import { type RunAs, unprivilegedUser } from '../../src/demo/postgres-binaries.js';

const run = promisify(execFile);
const INSTALLED = '/usr/lib/postgresql';
const ENV = { PATH: '/usr/bin:/bin', LC_ALL: 'C.UTF-8', TZ: 'UTC' };
const SETTINGS = "listen_addresses = ''\nmax_connections = 60\n";
const IN_A_HURRY = `${SETTINGS}fsync = off\n`;

/**
 * The distribution's Postgres (Debian: `postgresql`), which brings pg_dump and pg_restore of its own version, in a
 * cluster of ours. The oldest version that the gateway runs on, too.
 */
export class SystemPostgres {
  private running: string;

  private constructor(
    private readonly bin: string,
    readonly folder: string,
    private readonly data: string,
    private readonly identity: RunAs | null,
  ) {
    this.running = data;
  }

  /** Whether the distribution's Postgres is here. */
  static async isInstalled(): Promise<boolean> {
    return (await readdir(INSTALLED).catch(() => [])).length > 0;
  }

  /** @param isDurable keeps what it commits, as `doctor` demands */
  static async start({ isDurable = false } = {}): Promise<SystemPostgres> {
    const versions = (await readdir(INSTALLED).catch(() => [])).map(Number).sort((a, b) => a - b);
    const [version] = versions;
    if (version === undefined) throw new Error('no Postgres is installed: apt-get install postgresql');
    const bin = path.join(INSTALLED, String(version), 'bin');
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-restore-pg-'));
    const identity = await unprivilegedUser();
    if (identity) await chown(folder, identity.uid, identity.gid);
    // Anybody may come to the socket; the files are the server's own.
    await chmod(folder, 0o755);
    const server = new SystemPostgres(bin, folder, path.join(folder, 'data'), identity);
    await server.run('initdb', [
      '-D',
      server.data,
      '-U',
      'postgres',
      '-A',
      'trust',
      '-E',
      'UTF8',
      '--no-sync',
    ]);
    await writeFile(path.join(server.data, 'postgresql.conf'), isDurable ? SETTINGS : IN_A_HURRY);
    await server.boot(server.data);
    return server;
  }

  /** @param database of the role `gateway`, which has no special rights, or of `postgres` */
  url(database: string, role = 'gateway'): string {
    return `postgres://${role}@localhost:5432/${database}?host=${encodeURIComponent(this.folder)}`;
  }

  /** What pg_dump and its like find their server by. */
  get env(): Record<string, string> {
    return { PATH: `${this.bin}:${process.env['PATH'] ?? ''}`, PGHOST: this.folder, PGUSER: 'gateway' };
  }

  /** One of the installation's programs, as the server's user. */
  async run(program: string, args: string[], more: Record<string, string> = {}): Promise<string> {
    const options = { ...this.identity, cwd: this.folder, env: { ...ENV, PGHOST: this.folder, ...more } };
    return (await run(path.join(this.bin, program), args, options)).stdout;
  }

  async baseBackup(name: string): Promise<void> {
    const target = path.join(this.folder, name);
    await this.run('pg_basebackup', [
      '-D',
      target,
      '-U',
      'postgres',
      '-X',
      'stream',
      '-c',
      'fast',
      '--no-sync',
    ]);
  }

  /** Leaves the present cluster as it is and goes on from a base backup, as after a disaster: a new timeline. */
  async goOnFrom(name: string): Promise<void> {
    const target = path.join(this.folder, name);
    await this.run('pg_ctl', ['-D', this.data, '-m', 'fast', '-s', 'stop']);
    await writeFile(path.join(target, 'recovery.signal'), '');
    await writeFile(path.join(target, 'postgresql.conf'), `${IN_A_HURRY}restore_command = '/bin/false'\n`);
    await this.boot(target);
    this.running = target;
    await this.untilWritable();
  }

  async stop(): Promise<void> {
    await this.run('pg_ctl', ['-D', this.running, '-m', 'immediate', '-s', 'stop']);
    await rm(this.folder, { recursive: true, force: true });
  }

  /** pg_ctl is content as soon as it may be read. */
  private async untilWritable(): Promise<void> {
    const isInRecovery = () =>
      withClient(this.url('postgres', 'postgres'), async (admin) => {
        const { rows } = await admin.query<{ is: boolean }>('select pg_is_in_recovery() as is');
        return rows[0]?.is;
      });
    while (await isInRecovery()) await delay(100);
  }

  private async boot(data: string): Promise<void> {
    const log = path.join(this.folder, `${path.basename(data)}.log`);
    await this.run('pg_ctl', [
      '-D',
      data,
      '-l',
      log,
      '-w',
      '-s',
      '-t',
      '120',
      '-o',
      `-k ${this.folder}`,
      'start',
    ]);
  }
}
