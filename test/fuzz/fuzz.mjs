// Sends requests made from the API document, and spoiled ones, to a running gateway with a real database.
// Each response must arrive in time, not be a 5xx, and be documented.
//   npm run fuzz                             1,000,000 requests
//   FUZZ_REQUESTS=50000 FUZZ_SEED=7 npm run fuzz
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { createInterface } from 'node:readline';
import '../../scripts/register-typescript.mjs';

const { Campaign } = await import('./campaign.ts');
const root = path.resolve(import.meta.dirname, '../..');
const requests = numberOf('FUZZ_REQUESTS', 1_000_000);
const seed = numberOf('FUZZ_SEED', Math.floor(Math.random() * 2 ** 31));

function numberOf(name, otherwise) {
  const text = process.env[name];
  if (text === undefined) return otherwise;
  if (!/^\d{1,10}$/.test(text)) throw new Error(`${name} must be a whole number, not "${text}"`);
  return Number(text);
}

const server = spawn(
  process.execPath,
  ['--import', './scripts/register-typescript.mjs', 'test/fuzz/fuzz-server.mjs'],
  { cwd: root, stdio: ['pipe', 'pipe', 'inherit'] },
);
const died = once(server, 'exit').then(() => undefined);
const [first] = (await Promise.race([once(createInterface(server.stdout), 'line'), died])) ?? [];
if (first === undefined) throw new Error('the gateway did not start');

const campaign = new Campaign(JSON.parse(first), seed);
await campaign.replayKept();
await Promise.race([campaign.run(requests), died]);
if (server.exitCode !== null) campaign.fail('the gateway died');
server.stdin.end();
await died;
process.exitCode = campaign.report();
