// The gateway to be fuzzed, in a process of its own. Prints one line of facts; ends when its input ends.
//   node --import ./scripts/register-typescript.mjs test/fuzz/fuzz-server.mjs
import { once } from 'node:events';
import { startTestServer } from '../support/test-server.ts';
import { openFuzzHarness } from './fuzz-harness.ts';

const postgres = await startTestServer();
try {
  const { shop, harness } = await openFuzzHarness();
  process.stdout.write(`${JSON.stringify(harness)}\n`);
  process.stdin.resume();
  await once(process.stdin, 'end');
  await shop.close();
} finally {
  await postgres.stop();
}
