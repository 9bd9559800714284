// Fails on a migration that would stop the release before while it serves, or whose number is another one's too
// (scripts/migration-rules.mjs). The statements are those that the migrations really send, recorded on a database of its own.
//   npm run migrations
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { migrations } from '../migrations/index.ts';
import { recordMigrations } from '../test/support/recorded-migrations.ts';
import { startTestPostgres } from '../test/support/test-postgres.ts';
import { migrationProblems, numberProblems } from './migration-rules.mjs';

/** Tables and columns (`table.column`) that are dropped, and the first release that did not use them any more. */
const DROPS = {};

const changelog = readFileSync(path.resolve(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
const releases = [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)(?!.*\(unreleased\))/gm)].map(
  ([, version]) => version,
);
const postgres = await startTestPostgres();
let recorded;
try {
  recorded = await recordMigrations(postgres.adminUrl, migrations);
} finally {
  await postgres.stop();
}
// The baseline makes the tables, so requests use none of them yet.
const [, ...later] = recorded;
const folder = path.resolve(import.meta.dirname, '../migrations');
const problems = [
  ...numberProblems(readdirSync(folder), readFileSync(path.join(folder, 'index.ts'), 'utf8')),
  ...(await migrationProblems(later, { drops: DROPS, releases })),
];
for (const problem of problems) console.error(problem);
const statements = later.reduce((sum, migration) => sum + migration.statements.length, 0);
console.log(
  `${later.length} migrations after the baseline with ${statements} statements, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
