// A process that holds a demo environment, so that a test can kill it:
//   node --import ./scripts/register-typescript.mjs test/support/demo-starter.mjs <data dir>
// Prints one JSON line: {facts, env, ms}, or {error}. SIGTERM stops it cleanly.
import { startDemoEnvironment } from '../../src/demo/demo-environment.ts';

const say = (message) => process.stdout.write(`${JSON.stringify(message)}\n`);
const messages = [];
const logger = { info: (text) => messages.push(text), warn: (text) => messages.push(text) };
const started = performance.now();
try {
  const demo = await startDemoEnvironment({ dataDir: process.argv[2], logger });
  const alive = setInterval(() => undefined, 60_000);
  process.once('SIGTERM', () => {
    clearInterval(alive);
    void demo.stop();
  });
  say({ facts: demo.facts, env: demo.env, messages, ms: Math.round(performance.now() - started) });
} catch (error) {
  say({ error: error.message });
}
