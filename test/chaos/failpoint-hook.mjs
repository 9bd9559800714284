// Runs inside the gateway before its own code (`node --import`), and kills it at the failpoint that the harness names. A
// line `name:3` on its input kills it at the third passage of that failpoint.
import { writeSync } from 'node:fs';

/** A pipe to the harness, for the name of the failpoint. */
const REPORT_FD = 3;
let wanted = '';
let left = 0;

globalThis[Symbol.for('gateway.failpoint')] = (name) => {
  if (name !== wanted || --left > 0) return;
  writeSync(REPORT_FD, name);
  process.kill(process.pid, 'SIGKILL');
  // Blocks the thread, in case the signal is delivered late.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

process.stdin.on('data', (line) => {
  const [name, times] = line.toString().trim().split(':');
  wanted = name;
  left = Number(times);
});
// The harness holds the other end, which closes however the harness ends.
process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.unref?.();
