// Asks the registry for known holes, high or critical, in what the gateway runs with.
//   npm run audit
// Exit code 0: none; 1: some; 3: the registry could not be reached.
import { spawnSync } from 'node:child_process';
import { auditVerdict } from './supply-chain.mjs';

const EXIT_CODES = { clean: 0, vulnerable: 1, 'not done': 3 };

const { stdout, error } = spawnSync('npm', ['audit', '--omit=dev', '--audit-level=high', '--json'], {
  encoding: 'utf8',
  timeout: 60_000,
});
const { verdict, lines } = error ? { verdict: 'not done', lines: [error.message] } : auditVerdict(stdout);
for (const line of lines) console.error(line);
console.error(verdict === 'not done' ? 'NOT AUDITED: the registry gave no advisories' : `audit: ${verdict}`);
process.exitCode = EXIT_CODES[verdict];
