import pg from 'pg';
import { migrate, type MigrationReport } from '../../src/platform/database/migrate.js';
import { startTestPostgres } from './test-postgres.js';

/** As embedded-postgres.ts makes it: every gateway of a test works with this role, which owns nothing. */
export const GATEWAY_ROLE = 'gateway_app';
export const TEST_APP_KEY = Buffer.from('0123456789abcdefghijklmnopqrstuv');

/** One Postgres for the whole run; every test file clones the migrated template database. */
export async function startTestServer(): Promise<{ stop(): Promise<void> }> {
  const postgres = await startTestPostgres();
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('create database template_gateway');
  await admin.end();
  await migrateTestDatabase(databaseUrl(postgres.adminUrl, 'template_gateway'));
  process.env['TEST_ADMIN_URL'] = postgres.adminUrl;
  return postgres;
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
  return url.toString();
}

/** Migrates as the owner, and grants the gateway's role its rights. */
export function migrateTestDatabase(ownerUrl: string): Promise<MigrationReport> {
  const config = {
    databaseUrl: asGateway(ownerUrl),
    databaseMigrationUrl: ownerUrl,
    appKeys: [{ id: 't1', key: TEST_APP_KEY }],
  };
  return migrate(config);
}
