import pg from 'pg';
import { migrate } from '../../src/common/database.js';
import { startTestPostgres } from './test-postgres.js';

/** One Postgres for the whole run; every test file clones the migrated template database. */
export default async function globalSetup(): Promise<void> {
  const postgres = await startTestPostgres();
  (globalThis as { testPostgres?: unknown }).testPostgres = postgres;
  const admin = new pg.Client({ connectionString: postgres.adminUrl });
  await admin.connect();
  await admin.query('create database template_gateway');
  await admin.end();
  const template = databaseUrl(postgres.adminUrl, 'template_gateway');
  await migrate(template);
  process.env['TEST_ADMIN_URL'] = postgres.adminUrl;
}

/** The same server, another database. */
export function databaseUrl(adminUrl: string, name: string): string {
  const url = new URL(adminUrl);
  url.pathname = `/${name}`;
  return url.toString();
}
