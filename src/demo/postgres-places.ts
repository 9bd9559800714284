import { createHash, randomBytes } from 'node:crypto';
import { chown, lstat, mkdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { DemoError } from './demo-error.js';
import { ROOT_STATE_DIR, type RunAs, unprivilegedUser } from './postgres-binaries.js';
import { isErrno } from './processes.js';
import { readState, writeState } from './state-file.js';

/** The folders of one cluster, and the user that it runs as. */
export interface PostgresPlaces {
  /** Contains `data` (the cluster), `postgres.log` and usually `run` (the socket). */
  clusterDir: string;
  data: string;
  socketDir: string;
  log: string;
  /** Null: the current user. */
  runAs: RunAs | null;
}

const RECORD = 'postgres.json';
/** sun_path has 108 bytes on Linux and 104 on macOS, including the final NUL. */
const MAX_SOCKET_PATH_BYTES = 103;

/**
 * Chooses and creates the folders of the cluster, and records them in `<dataDir>/postgres.json`.
 *
 * The cluster is in `<dataDir>/postgres`, unless we are root and the unprivileged user cannot reach that folder, e.g.
 * below /root. Then it is in /var/lib/crypto-payment-gateway/postgres-<random>, which survives a reboot, unlike the
 * temporary folder. The name is random and not derived from the data directory's, so that a new data directory in the
 * place of a deleted one does not get its old database.
 */
export async function preparePostgresPlaces(dataDir: string): Promise<PostgresPlaces> {
  const user = await unprivilegedUser();
  const clusterDir = await chooseClusterDir(dataDir, user);
  const data = path.join(clusterDir, 'data');
  // A cluster that was created by another user, e.g. before the gateway ran as root, keeps its owner.
  const runAs = user && ((await ownerOf(data)) ?? user);
  const socketDir = socketDirOf(clusterDir);
  await mkdir(path.dirname(clusterDir), { recursive: true, mode: 0o755 });
  await writeState(path.join(dataDir, RECORD), { dataDir, clusterDir });
  for (const folder of [clusterDir, socketDir]) await ownPrivateFolder(folder, runAs);
  return { clusterDir, data, socketDir, log: path.join(clusterDir, 'postgres.log'), runAs };
}

async function chooseClusterDir(dataDir: string, user: RunAs | null): Promise<string> {
  const record = await readState(path.join(dataDir, RECORD));
  const known = record?.['clusterDir'];
  if (typeof known === 'string' && known.startsWith(ROOT_STATE_DIR)) {
    await refuseCopy(dataDir, String(record?.['dataDir']), known);
    return known;
  }
  const inside = path.join(dataDir, 'postgres');
  if (known !== undefined || user === null || (await canReach(dataDir, user))) return inside;
  return path.join(ROOT_STATE_DIR, `postgres-${randomBytes(8).toString('hex')}`);
}

/** A moved data directory keeps its cluster; a copy must not use the cluster of the original. */
async function refuseCopy(dataDir: string, origin: string, clusterDir: string): Promise<void> {
  if (origin === dataDir || (await readState(path.join(origin, RECORD)))?.['clusterDir'] !== clusterDir)
    return;
  throw new DemoError(
    `${dataDir} is a copy of ${origin}, whose database is in ${clusterDir} and was not copied. ` +
      `Delete ${path.join(dataDir, 'secrets.json')} and ${path.join(dataDir, RECORD)} to begin with an ` +
      'empty database.',
  );
}

/** Whether a user may enter a folder and all its parents, by their mode bits. */
async function canReach(folder: string, user: RunAs): Promise<boolean> {
  const { uid, gid, mode } = await stat(folder);
  const executeBit = uid === user.uid ? 0o100 : gid === user.gid ? 0o010 : 0o001;
  if ((mode & executeBit) === 0) return false;
  const parent = path.dirname(folder);
  return parent === folder || canReach(parent, user);
}

/**
 * Beside the cluster if the path is short enough for a socket and has no special characters (Postgres splits the setting
 * at commas), else in /tmp; TMPDIR may be too long as well.
 */
function socketDirOf(clusterDir: string): string {
  const beside = path.join(clusterDir, 'run');
  const length = Buffer.byteLength(path.join(beside, '.s.PGSQL.5432'));
  const fits = length <= MAX_SOCKET_PATH_BYTES && /^[\w./-]+$/.test(beside);
  return fits ? beside : `/tmp/gateway-pg-${shortHash(clusterDir)}`;
}

/** Creates a folder with mode 0700, which protects the cluster: the socket accepts every user who can open it. */
async function ownPrivateFolder(folder: string, owner: RunAs | null): Promise<void> {
  try {
    await mkdir(folder, { mode: 0o700 });
    if (owner) await chown(folder, owner.uid, owner.gid);
  } catch (error) {
    if (!isErrno(error, 'EEXIST')) throw error;
  }
  const stats = await lstat(folder);
  const uid = owner?.uid ?? process.getuid?.();
  if (!stats.isDirectory() || stats.uid !== uid || (stats.mode & 0o077) !== 0) {
    throw new DemoError(
      `${folder} must be a folder of user ${uid} with mode 0700. Run the gateway as the same user as ` +
        'before, or choose another DATA_DIR.',
    );
  }
}

async function ownerOf(folder: string): Promise<RunAs | null> {
  try {
    const { uid, gid } = await stat(folder);
    return uid === 0 ? null : { uid, gid };
  } catch (error) {
    if (isErrno(error, 'ENOENT')) return null;
    throw error;
  }
}

function shortHash(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16);
}
