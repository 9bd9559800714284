// Writes migrations/schema.sql: what all migrations together make, on a database of its own.
//   npm run schema:dump
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import pg from 'pg';
import { migrate } from '../src/platform/database/database.ts';
import { schemaText } from '../test/support/schema-text.ts';
import { startTestPostgres } from '../test/support/test-postgres.ts';

const file = path.resolve(import.meta.dirname, '../migrations/schema.sql');
const postgres = await startTestPostgres();
try {
  await migrate(postgres.adminUrl);
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
