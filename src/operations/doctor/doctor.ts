import { DataSource } from 'typeorm';
import { ChainHealthService } from '../../chains/chain-health.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import type { Clock } from '../../platform/kernel/clock.pure.js';
import { dataSourceOptions } from '../../platform/database/database.js';
import { Meters } from '../../platform/kernel/meters.js';
import { Sql } from '../../platform/database/sql.js';
import type { Config } from '../../config.js';
import { VERSION } from '../../platform/kernel/version.js';
import { rateSources } from '../../rates/rates.service.js';
import { checkAppKeys } from './app-keys-check.js';
import { checkChains } from './chains-check.js';
import { assessClock } from './clock-findings.js';
import { checkConnections } from './connections-check.js';
import { areSessionsShared, readDatabaseFacts } from './database-check.js';
import { assessDatabase, assessSessions } from './database-findings.js';
import { DoctorRepository } from './doctor.repository.js';
import { newestVersionOf } from './newest-version.pure.js';
import { NewestVersionRepository } from './newest-version.repository.js';
import { type Finding, reasonOf, Subject } from './finding.js';
import { readRoleFacts } from './role-check.js';
import { assessRole } from './role-findings.js';
import { checkPublicAddress } from './public-address-check.js';
import { checkClockOutside, checkRates } from './rates-check.js';
import { checkAddressGaps } from './address-gaps-check.js';
import { checkTreasuries } from './treasuries-check.js';
import { assessVersion } from './version-findings.js';
import { checkWebhookSecrets } from './webhook-secrets-check.js';
import { checkWebhooks } from './webhooks-check.js';

/**
 * Checks everything around the gateway, on its machine and with its environment, whether the gateway runs or not. It
 * changes nothing but the counter of this machine's failed tokens. Without a database it still checks the rest.
 * @param unread a sentence for each variable that nothing reads (unread-settings.ts)
 */
export async function examine(
  config: Config,
  clock: Clock,
  unread: readonly string[] = [],
): Promise<Finding[]> {
  const database = new DataSource(dataSourceOptions(config.databaseUrl, 2, config.databasePoolMode));
  const chains = new ChainsService(config, clock);
  try {
    const [sql, findings] = await connect(database, config, clock);
    const repository = sql && new DoctorRepository(sql);
    const conditions = sql && ChainHealthService.of(config, sql, clock, chains);
    const rest = await Promise.all([
      guarded('clock', async () => [await checkClockOutside(config, clock)]),
      guarded('public address', () => checkPublicAddress(config, repository, clock)),
      guarded('chains', () => checkChains(chains, conditions, config.chainStallBlocks, () => clock.now())),
      guarded('rates', () => checkRates(rateSources(config))),
      repository ? guarded('webhooks', () => checkWebhooks(config, repository)) : [],
      repository ? guarded('treasuries', () => checkTreasuries(chains, repository)) : [],
      sql ? guarded('gap limits', () => checkAddressGaps(sql)) : [],
      sql ? guarded('APP_KEYS', () => checkAppKeys(config, sql)) : [],
      sql ? guarded('webhook secrets', () => checkWebhookSecrets(config, sql, clock)) : [],
      sql ? guarded('version', async () => [await checkVersion(config, sql, clock)]) : [],
      repository ? guarded('operator', () => checkOperators(config, repository)) : [],
    ]);
    return [...findings, ...settingsFindings(unread), checkConnections(config.connections), ...rest.flat()];
  } finally {
    await chains.onApplicationShutdown();
    if (database.isInitialized) await database.destroy();
  }
}

/** @param unread a sentence for each variable that nothing reads */
export function settingsFindings(unread: readonly string[]): Finding[] {
  const about = new Subject('settings');
  const fix = 'correct the name; docs/reference/configuration.md has all of them';
  return unread.map((sentence) => about.warning(sentence, fix));
}

/** A check that breaks off is a finding of its own, and keeps none of the others from being shown. */
export async function guarded(subject: string, check: () => Promise<Finding[]>): Promise<Finding[]> {
  try {
    return await check();
  } catch (error) {
    const fix = 'run the doctor again; if this repeats, the log of the gateway may say more';
    return [new Subject(subject).failure(`the check broke off: ${reasonOf(error)}`, fix)];
  }
}

/** The database, or null if there is none or its schema is not current. */
async function connect(database: DataSource, config: Config, clock: Clock): Promise<[Sql | null, Finding[]]> {
  const about = new Subject('database');
  try {
    await database.initialize();
    const sessions = assessSessions(await areSessionsShared(database), config.databasePoolMode);
    if (sessions.length > 0) return [null, sessions];
    const sql = new Sql(database, new Meters());
    const facts = await readDatabaseFacts(sql);
    const before = clock.now();
    const [row] = await sql.query<{ now: Date }>('select clock_timestamp() as now');
    if (!row) throw new Error('unexpected empty result');
    const reading = { of: 'the database', theirs: row.now, before, after: clock.now(), resolution: 1 };
    const findings = [...assessDatabase(facts, config.databasePoolSize), assessClock(reading)];
    if (facts.pendingMigrations?.length !== 0) return [null, findings];
    return [sql, [...findings, ...assessRole(await readRoleFacts(sql))]];
  } catch (error) {
    const fix = 'check DATABASE_URL, and that Postgres runs and accepts this machine (pg_hba.conf)';
    return [null, [about.failure(`it cannot be queried: ${reasonOf(error)}`, fix)]];
  }
}

/** What the gateway was told when it asked; this asks nobody. */
async function checkVersion({ updateCheckUrl: url }: Config, sql: Sql, clock: Clock): Promise<Finding> {
  const record = url === null ? null : await new NewestVersionRepository(sql, url).find();
  const now = clock.now();
  return assessVersion(newestVersionOf(record, url !== null, VERSION, now), VERSION, now);
}

async function checkOperators({ metricsToken }: Config, repository: DoctorRepository): Promise<Finding[]> {
  const about = new Subject('operator');
  const findings: Finding[] = [];
  if (!(await repository.hasOperator()))
    findings.push(
      about.warning(
        'no user has access to /api/admin',
        'run the command set-operator --email <address> (docs/how-to/operations.md#the-command-line)',
      ),
    );
  if (metricsToken === null)
    findings.push(
      about.warning(
        '/metrics is switched off, so no alert can be raised',
        'set METRICS_TOKEN (docs/how-to/metrics.md)',
      ),
    );
  return findings.length > 0
    ? findings
    : [about.ok('a user has access to /api/admin, and /metrics is switched on')];
}
