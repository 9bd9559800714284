import { type PoolMode, SESSION_TIMEOUTS } from '../../platform/database/session-timeouts.js';
import { type Finding, Subject } from './finding.js';

/** Settings and statistics of Postgres. */
export interface DatabaseFacts {
  version: string;
  /** As `server_version_num`: 150004 is 15.4. */
  versionNumber: number;
  fsync: boolean;
  fullPageWrites: boolean;
  synchronousCommit: string;
  maxConnections: number;
  inRecovery: boolean;
  /** Those of the gateway's sessions, milliseconds by name. */
  sessionTimeouts: Readonly<Record<string, number>>;
  /** Milliseconds of one round trip. */
  roundTripMs: number;
  /** Names that are not applied, or null where there is no schema at all. */
  pendingMigrations: readonly string[] | null;
}

const OLDEST_VERSION = 150_000;
/** Milliseconds; a payment's transaction makes about ten round trips. */
const SLOW_ROUND_TRIP = 20;

/**
 * @param areShared whether several of the gateway's connections use one session of Postgres
 * @param poolMode DATABASE_POOL_MODE
 */
export function assessSessions(areShared: boolean, poolMode: PoolMode): Finding[] {
  if (!areShared || poolMode === 'transaction') return [];
  const found =
    'a pooler changes the session between transactions, so prepared statements and timeouts are lost';
  const fix = 'set DATABASE_POOL_MODE=transaction, or run the pooler in session mode (pool_mode = session)';
  return [new Subject('database').failure(found, fix)];
}

/** @param poolSize DATABASE_POOL_SIZE of one process */
export function assessDatabase(facts: DatabaseFacts, poolSize: number): Finding[] {
  const about = new Subject('database');
  const findings: Finding[] = [];
  if (facts.versionNumber < OLDEST_VERSION)
    findings.push(about.failure(`Postgres ${facts.version} is older than 15`, 'upgrade Postgres'));
  if (facts.inRecovery)
    findings.push(about.failure('it is a read-only standby', 'point DATABASE_URL to the primary'));
  if (!facts.fsync || !facts.fullPageWrites)
    findings.push(
      about.failure(
        'fsync or full_page_writes is off: a power failure can corrupt the database',
        'set both to on in postgresql.conf and restart Postgres',
      ),
    );
  if (facts.synchronousCommit === 'off')
    findings.push(
      about.failure(
        'synchronous_commit is off: a crash loses writes that were already confirmed to clients',
        'set it to on, at least for the gateway’s role',
      ),
    );
  const lost = Object.entries(SESSION_TIMEOUTS).filter(([name, set]) => facts.sessionTimeouts[name] !== set);
  if (lost.length > 0)
    findings.push(
      about.failure(
        `its sessions do not keep ${lost.map(([name]) => name).join(', ')}, so a stuck statement would never end`,
        'let the pooler keep what a session sets, or give the timeouts to the role (docs/how-to/deployment.md)',
      ),
    );
  if (poolSize * 2 > facts.maxConnections)
    findings.push(
      about.warning(
        `max_connections is ${facts.maxConnections}: two processes of ${poolSize} connections do not fit`,
        'lower DATABASE_POOL_SIZE or raise max_connections',
      ),
    );
  if (facts.roundTripMs > SLOW_ROUND_TRIP)
    findings.push(
      about.warning(
        `a round trip takes ${facts.roundTripMs} ms`,
        'run the gateway in the same data center as Postgres',
      ),
    );
  findings.push(...assessMigrations(about, facts.pendingMigrations));
  return findings.length > 0
    ? findings
    : [about.ok(`Postgres ${facts.version}, ${facts.roundTripMs} ms away, the schema is current`)];
}

function assessMigrations(about: Subject, pending: readonly string[] | null): Finding[] {
  const fix = 'start the gateway, which applies them';
  if (pending === null) return [about.warning('it has no schema yet', 'start the gateway, which creates it')];
  if (pending.length === 0) return [];
  return [about.warning(`${pending.length} migrations are not applied, ${pending[0]} first`, fix)];
}
