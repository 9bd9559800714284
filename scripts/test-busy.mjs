// Runs the tests beside programs that burn the processors and the disk, to find what depends on time. Prints the load.
//   npm run test:busy                        npm test
//   npm run test:busy -- test/payments       a part of it
//   BUSY_LOAD=20 npm run test:busy           another load than 10
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';

const load = Number(process.env['BUSY_LOAD'] ?? 10);
if (!Number.isInteger(load) || load < 1) throw new Error('BUSY_LOAD must be a whole number from 1 on');
/** Of them, so many write and flush; the rest computes. jest adds its own three workers. */
const WRITERS = 2;

const folder = await mkdtemp(path.join(os.tmpdir(), 'gateway-busy-'));
const COMPUTE = 'for (;;);';
const WRITE = `
  const fs = require('node:fs');
  const file = fs.openSync(process.argv[1], 'w');
  const block = Buffer.alloc(4 * 1024 * 1024, 1);
  for (;;) { fs.writeSync(file, block, 0, block.length, 0); fs.fsyncSync(file); }`;

const burners = Array.from({ length: load }, (_, at) =>
  at < WRITERS
    ? spawn(process.execPath, ['-e', WRITE, path.join(folder, `${at}`)], { stdio: 'inherit' })
    : spawn(process.execPath, ['-e', COMPUTE], { stdio: 'inherit' }),
);
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => tests.kill(signal));
const tests = spawn('npm', ['test', '--', ...process.argv.slice(2)], { stdio: 'inherit' });
try {
  const [code, signal] = await once(tests, 'exit');
  const dead = burners.filter(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null).length;
  console.log(`load of the last 15 minutes: ${os.loadavg()[2].toFixed(1)}, beside ${load - dead} burners`);
  // Without them, the run has shown nothing.
  process.exitCode = dead > 0 ? 1 : (code ?? (signal ? 1 : 0));
} finally {
  for (const burner of burners) burner.kill('SIGKILL');
  await rm(folder, { recursive: true, force: true });
}
