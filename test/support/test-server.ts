import pg from 'pg';
import { migrate } from '../../src/platform/database/database.js';
import { startTestPostgres } from './test-postgres.js';

/** One Postgres for the whole run; every test file clones the migrated template database. */
export async function startTestServer(): Promise<{ stop(): Promise<void> }> {
  const postgres = await startTestPostgres();
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('create database template_gateway');
  await admin.end();
  await migrate(databaseUrl(postgres.adminUrl, 'template_gateway'));
  process.env['TEST_ADMIN_URL'] = postgres.adminUrl;
  return postgres;
}

/** The same server, another database. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
