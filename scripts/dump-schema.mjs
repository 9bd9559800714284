// Writes migrations/schema.sql: what all migrations together make, on a database of its own.
//   npm run schema:dump
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { schemaText } from '../test/support/schema-text.ts';
import { startTestPostgres } from '../test/support/test-postgres.ts';
import { migrateTestDatabase } from '../test/support/test-server.ts';

const file = path.resolve(import.meta.dirname, '../migrations/schema.sql');
const postgres = await startTestPostgres();
try {
  await migrateTestDatabase(postgres.adminUrl);
  const client = new pg.Client({ connectionString: postgres.adminUrl });
  await client.connect();
  try {
    await writeFile(file, await schemaText(client));
  } finally {
    await client.end();
  }
} finally {
  await postgres.stop();
}
