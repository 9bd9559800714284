// Runs inside the gateway before its own first line (`node --import`): kills it at one of its failpoints, once the
// harness says which. A line `name:3` on its input is death at the third time from now that it passes there.
import { writeSync } from 'node:fs';

/** A pipe to the harness, which hears of it where and why. */
const REPORT_FD = 3;
let wanted = '';
let left = 0;

globalThis[Symbol.for('gateway.failpoint')] = (name) => {
  if (name !== wanted || --left > 0) return;
  writeSync(REPORT_FD, name);
  process.kill(process.pid, 'SIGKILL');
  // The signal has been delivered by now; should it ever be late, nothing more happens.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
};

process.stdin.on('data', (line) => {
  const [name, times] = line.toString().trim().split(':');
  wanted = name;
  left = Number(times);
});
// The harness holds the other end, and its death closes it, however it dies.
process.stdin.once('close', () => process.kill(process.pid, 'SIGKILL'));
process.stdin.unref?.();
