// Counting, waiting and tidying for the harnesses: programs that drive the gateway from outside.
import { readdir, readFile, readlink } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

const counts = { passed: 0, failed: 0 };

/** Runs one check and prints its line with the time it took. Returns what the check returns, or undefined. */
export async function check(name, work) {
  const start = performance.now();
  const seconds = () => `${((performance.now() - start) / 1000).toFixed(1)} s`;
  try {
    const result = await work();
    counts.passed++;
    process.stdout.write(`ok      ${name} (${seconds()})\n`);
    return result;
  } catch (error) {
    counts.failed++;
    process.stdout.write(`not ok  ${name} (${seconds()})\n${String(error?.stack ?? error)}\n`);
    return undefined;
  }
}

/** What another program has checked. */
export function addCounts(passed, failed) {
  counts.passed += passed;
  counts.failed += failed;
}

/** Milliseconds that a harness takes to end after its last line, at most. */
const END_MS = 10_000;

/** The last line of a harness; the exit code says whether all checks passed. */
export function finish() {
  process.stdout.write(`${counts.passed} passed, ${counts.failed} failed\n`);
  process.exitCode = counts.failed > 0 ? 1 : 0;
  // A timer or connection that was forgotten is named, and holds up nobody until the limit of the step.
  setTimeout(() => {
    process.stderr.write(`ended here; left behind: ${process.getActiveResourcesInfo().join(', ')}\n`);
    process.exit();
  }, END_MS).unref();
}

export function expect(condition, message) {
  if (!condition) throw new Error(message);
}

/** Seconds, against hanging alone: no busy machine needs as many. */
const LIMIT = 300;

/** Polls until `probe` answers something; null, undefined and false mean "not yet". */
export async function until(what, probe) {
  const deadline = performance.now() + LIMIT * 1000;
  for (;;) {
    const found = await probe();
    if (found) return found;
    if (performance.now() > deadline) throw new Error(`${what} did not happen within ${LIMIT} s`);
    await delay(100);
  }
}

/** A zombie is not alive: only its exit code was not fetched yet. */
export async function isAlive(pid) {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '');
  return stat !== '' && !/^\d+ \(.*\) [ZX]/s.test(stat);
}

/** Processes whose program, arguments or working folder lie below a folder. */
export async function listProcesses(folder) {
  const found = [];
  for (const name of await readdir('/proc')) {
    const pid = Number(name);
    if (!Number.isInteger(pid) || pid === process.pid) continue;
    const command = await readFile(`/proc/${pid}/cmdline`, 'utf8').catch(() => '');
    const cwd = await readlink(`/proc/${pid}/cwd`).catch(() => '');
    if ((command.includes(folder) || cwd.startsWith(folder)) && (await isAlive(pid)))
      found.push({ pid, command: command.replaceAll('\0', ' ').trim() });
  }
  return found;
}

/** Ends what a failed harness may have left behind, and nothing else: only processes of its own folder. */
export async function killProcesses(folder) {
  for (const signal of ['SIGTERM', 'SIGKILL']) {
    const left = await listProcesses(folder);
    for (const { pid } of left) {
      try {
        process.kill(pid, signal);
      } catch (error) {
        if (error.code !== 'ESRCH') throw error;
      }
    }
    // What hears no SIGTERM is killed.
    const deadline = performance.now() + 5_000;
    while (performance.now() < deadline && (await listProcesses(folder)).length > 0) await delay(100);
  }
}
