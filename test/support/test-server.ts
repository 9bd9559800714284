import pg from 'pg';
import { migrate, type MigrationReport } from '../../src/platform/schema/migrate.js';
import { type PoolMode, SESSION_TIMEOUTS } from '../../src/platform/database/session-timeouts.js';
import { PgBouncer } from './pgbouncer.js';
import { startTestPostgres } from './test-postgres.js';

/** As embedded-postgres.ts makes it: every gateway of a test works with this role, which owns nothing. */
export const GATEWAY_ROLE = 'gateway_app';
export const TEST_APP_KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv');

/**
 * One Postgres for the whole run; every test file clones the migrated template database. With TEST_POOL_MODE, every
 * gateway uses it through PgBouncer in that mode.
 */
export async function startTestServer(): Promise<{ stop(): Promise<void> }> {
  const postgres = await startTestPostgres();
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('create database template_gateway');
  await admin.end();
  await migrateTestDatabase(databaseUrl(postgres.adminUrl, 'template_gateway'));
  process.env['TEST_ADMIN_URL'] = postgres.adminUrl;
  const mode = (['session', 'transaction'] as const).find((known) => known === process.env['TEST_POOL_MODE']);
  return mode ? startPooler(postgres, mode) : postgres;
}

async function startPooler(
  postgres: { adminUrl: string; stop(): Promise<void> },
  mode: PoolMode,
): Promise<{ stop(): Promise<void> }> {
  await setRoleTimeouts(postgres.adminUrl);
  const bouncer = await PgBouncer.start(postgres.adminUrl, mode);
  process.env['TEST_POOLER_URL'] = bouncer.urlOf(postgres.adminUrl);
  return {
    stop: async () => {
      await bouncer.stop();
      await postgres.stop();
    },
  };
}

/** As docs/how-to/deployment.md says for a pooler in transaction mode. */
export async function setRoleTimeouts(adminUrl: string): Promise<void> {
  const admin = new pg.Client({ connectionString: adminUrl });
  await admin.connect();
  for (const [name, value] of Object.entries(SESSION_TIMEOUTS))
    await admin.query(`alter role ${GATEWAY_ROLE} set ${name} = ${value}`);
  await admin.end();
}

/** The same server, another database. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}

/** The same database with the rights of the gateway. */
export function asGateway(ownerUrl: string): string {
  const url = new URL(ownerUrl);
  url.username = GATEWAY_ROLE;
  const pooler = process.env['TEST_POOLER_URL'];
  // A test's own server, or one behind a proxy, is used directly.
  if (!pooler || serverOf(url) !== serverOf(new URL(process.env['TEST_ADMIN_URL'] ?? '')))
    return url.toString();
  url.host = new URL(pooler).host;
  url.searchParams.delete('host');
  return url.toString();
}

const serverOf = ({ host, searchParams }: URL) => `${host} ${searchParams.get('host') ?? ''}`;

/** The variables with which a gateway uses a database: through the pooler of TEST_POOL_MODE, where that is used. */
export function gatewayDatabase(ownerUrl: string): { DATABASE_URL: string; DATABASE_POOL_MODE: string } {
  const DATABASE_URL = asGateway(ownerUrl);
  const pooler = process.env['TEST_POOLER_URL'];
  const isPooled = pooler !== undefined && new URL(DATABASE_URL).host === new URL(pooler).host;
  return {
    DATABASE_URL,
    DATABASE_POOL_MODE: (isPooled ? process.env['TEST_POOL_MODE'] : undefined) ?? 'session',
  };
}

/** Of some twenty migrations for each database. */
const QUIET = { log: () => {}, warn: () => {} };

/** Migrates as the owner, and grants the gateway's role its rights. */
export function migrateTestDatabase(ownerUrl: string): Promise<MigrationReport> {
  const config = {
    databaseUrl: asGateway(ownerUrl),
    databaseMigrationUrl: ownerUrl,
    databasePoolMode: 'session' as const,
    appKeys: [{ id: 't1', key: TEST_APP_KEY }],
  };
  return migrate(config, QUIET);
}
