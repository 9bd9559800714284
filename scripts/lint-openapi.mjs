// Lints docs/openapi.json with Redocly's strict rules; test/harness/spectral.mjs does it with Spectral's. Errors and
// warnings fail alike. It makes no network requests: no telemetry, no check for updates.
//   npm run openapi:lint
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import path from 'node:path';

const root = path.resolve(import.meta.dirname, '..');
const QUIET = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };

const program = path.join(root, 'node_modules/.bin/redocly');
const { status, stdout, stderr } = spawnSync(
  program,
  ['lint', 'docs/openapi.json', '--format=json', '--max-problems=1000'],
  { cwd: root, env: { ...process.env, ...QUIET }, encoding: 'utf8' },
);
const { problems, totals } = JSON.parse(stdout || '{}');
if (status === null || !problems) throw new Error(`redocly did not answer:\n${stderr}`);

for (const { severity, ruleId, message, location } of problems.filter(({ ignored }) => !ignored))
  console.error(`${severity} ${ruleId}: ${message} (${location[0]?.pointer})`);
console.log(`docs/openapi.json: ${totals.errors} errors, ${totals.warnings} warnings`);
if (totals.ignored > 0)
  console.log(readFileSync(path.join(root, '.redocly.lint-ignore.yaml'), 'utf8').trimEnd());
process.exitCode = status === 0 && totals.errors + totals.warnings === 0 ? 0 : 1;
