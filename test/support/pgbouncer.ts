import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { chmod, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import type { PoolMode } from '../../src/platform/database/session-timeouts.js';
import { freePort } from './free-port.js';

const PROGRAM = '/usr/sbin/pgbouncer';
/** Roles of the tests' Postgres, which asks for no password. */
const USERS = ['gateway', 'gateway_app'];

export const hasPgBouncer = existsSync(PROGRAM);

/**
 * A group of tests behind PgBouncer. A newcomer's machine may have none: there the group is skipped and says why. CI
 * installs it, so there a missing program is a failure.
 */
export function describeWithPgBouncer(name: string, tests: () => void): void {
  const mode = process.env['TEST_POOL_MODE'];
  // It would be one pooler behind another, with a role that has its timeouts already.
  if (mode) describe.skip(`${name} (skipped: all tests run behind PgBouncer in ${mode} mode)`, tests);
  else if (hasPgBouncer || process.env['CI']) describe(name, tests);
  else describe.skip(`${name} (skipped: no pgbouncer here; apt-get install pgbouncer)`, tests);
}

/** PgBouncer as Debian installs it, before the tests' Postgres. */
export class PgBouncer {
  private constructor(
    private readonly folder: string,
    private readonly process: ChildProcess,
    private readonly port: number,
  ) {}

  /**
   * @param databaseUrl of any database of the server, on its socket
   * @param database the only one that it knows; by default it knows all
   */
  static async start(databaseUrl: string, poolMode: PoolMode, database = '*'): Promise<PgBouncer> {
    const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-test-pgbouncer-'));
    await chmod(folder, 0o755);
    const port = await freePort();
    const socket = new URL(databaseUrl).searchParams.get('host') ?? '';
    const users = path.join(folder, 'users.txt');
    await writeFile(users, USERS.map((user) => `"${user}" ""\n`).join(''));
    const settings = [
      '[databases]',
      `${database} = host=${socket} port=5432`,
      '[pgbouncer]',
      'listen_addr = 127.0.0.1',
      `listen_port = ${port}`,
      'unix_socket_dir =',
      'auth_type = trust',
      `auth_file = ${users}`,
      `pool_mode = ${poolMode}`,
      'max_client_conn = 500',
      // At once; by default it refuses everyone for 15 seconds after a failed login (how-to/deployment.md#poolers).
      'server_login_retry = 0',
      // Each test file has a database of its own: connections to those of earlier ones would use up the server's.
      'server_idle_timeout = 5',
    ];
    const file = path.join(folder, 'pgbouncer.ini');
    await writeFile(file, settings.join('\n'));
    // It refuses to run as root; the owner of the socket may use it.
    const { uid, gid } = await stat(socket);
    const isRoot = process.getuid?.() === 0;
    const child = spawn(PROGRAM, [file], {
      stdio: ['ignore', 'ignore', 'pipe'],
      ...(isRoot && { uid, gid }),
    });
    for await (const line of createInterface({ input: child.stderr })) if (line.includes('process up')) break;
    // Further lines are not read, and must not fill the pipe.
    child.stderr.resume();
    if (child.exitCode !== null) throw new Error(`pgbouncer has exited with ${child.exitCode}`);
    return new PgBouncer(folder, child, port);
  }

  get pid(): number | undefined {
    return this.process.pid;
  }

  /** @param databaseUrl on the server's socket @returns the same by way of PgBouncer */
  urlOf(databaseUrl: string): string {
    const url = new URL(databaseUrl);
    url.searchParams.delete('host');
    url.host = `127.0.0.1:${this.port}`;
    return url.href;
  }

  async stop(): Promise<void> {
    if (this.process.exitCode === null) {
      const exit = once(this.process, 'exit');
      this.process.kill('SIGTERM');
      await exit;
    }
    await rm(this.folder, { recursive: true, force: true });
  }
}
