// Fails on a migration that would stop the release before while it serves, or whose number is another one's too
// (scripts/migration-rules.mjs). The statements are those that the migrations really send, recorded on a database of its own.
//   npm run migrations
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { migrations } from '../migrations/index.ts';
import { recordMigrations } from '../test/support/recorded-migrations.ts';
import { startTestPostgres } from '../test/support/test-postgres.ts';
import { migrationProblems, numberProblems } from './migration-rules.mjs';

/** The last migration from before the rules; later ones are checked. */
const BASELINE = 'Changes1795310421000';
/** Tables and columns (`table.column`) that are dropped, and the first release that did not use them any more. */
const DROPS = {};
/** Problems that do no harm, by their beginning, with the reason. */
const ALLOWED = {
  'CorrectDeliveryCounts1795310440000: copies rows of webhook_delivery_count_changes':
    'it must count all deliveries at one moment, and only adds rows, which no request waits for',
  'FillDeliveryCounts1795310437000: copies rows of webhook_delivery_count_changes':
    'it must count all deliveries at one moment, and only adds rows, which no request waits for',
  'FillPaymentCounts1795310426000: copies rows of payment_count_changes':
    'it must count all payments at one moment, and only adds rows, which no request waits for',
};

const changelog = readFileSync(path.resolve(import.meta.dirname, '../CHANGELOG.md'), 'utf8');
const releases = [...changelog.matchAll(/^## \[?(\d+\.\d+\.\d+)/gm)].map(([, version]) => version);
const first = migrations.findIndex(({ name }) => name === BASELINE) + 1;
const postgres = await startTestPostgres();
let recorded;
try {
  recorded = await recordMigrations(postgres.adminUrl, migrations);
} finally {
  await postgres.stop();
}
const allowed = Object.keys(ALLOWED);
const found = await migrationProblems(recorded.slice(first), { drops: DROPS, releases });
const isAllowed = (problem) => allowed.some((start) => problem.startsWith(start));
const unused = allowed.filter((start) => !found.some((problem) => problem.startsWith(start)));
const folder = path.resolve(import.meta.dirname, '../migrations');
const problems = [
  ...numberProblems(readdirSync(folder), readFileSync(path.join(folder, 'index.ts'), 'utf8')),
  ...found.filter((problem) => !isAllowed(problem)),
  ...unused.map((start) => `allowed, but not found: ${start}`),
];
for (const problem of problems) console.error(problem);
const statements = recorded.slice(first).reduce((sum, migration) => sum + migration.statements.length, 0);
console.log(
  `${recorded.length - first} migrations after ${BASELINE} with ${statements} statements, ${problems.length} problems`,
);
process.exitCode = problems.length > 0 ? 1 : 0;
