// One shell for the blocks of one document, as a reader's: what a block sets, the next one finds.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { environment } from '../development.mjs';

/** Seconds for a block. */
const LIMIT = 300;
const END = '\u0001done\u0001';

export class Shell {
  #child;
  #closed;
  #output = '';
  #steps = 0;
  #folder;
  /** By the last step. */
  printed = '';

  /** @param folder where its steps are kept as files */
  constructor({ cwd, env, folder }) {
    this.#folder = folder;
    this.#child = spawn('bash', ['--norc', '--noprofile'], {
      cwd,
      env: environment(env),
      stdio: ['pipe', 'pipe', 'pipe'],
      detached: true,
    });
    this.#closed = once(this.#child, 'close');
    for (const stream of [this.#child.stdout, this.#child.stderr])
      stream.setEncoding('utf8').on('data', (chunk) => (this.#output += chunk));
    // A command that fails, or a variable that nothing has set, ends the shell.
    this.#child.stdin.on('error', () => {});
    this.#child.stdin.write('set -euo pipefail\n');
  }

  /** @returns what it printed @throws Error when a command fails */
  async run(text) {
    const file = path.join(this.#folder, `step-${++this.#steps}.sh`);
    await writeFile(file, text);
    this.#output = '';
    this.#child.stdin.write(`source '${file}' </dev/null 2>&1; printf '${END}'\n`);
    const limit = new AbortController();
    const isOver = await Promise.race([
      this.#printed().then(() => false),
      this.#closed.then(() => true),
      delay(LIMIT * 1000, null, { signal: limit.signal }).then(() => {
        throw new Error(`not done within ${LIMIT} s:\n${this.#output}`);
      }),
    ]).finally(() => limit.abort());
    if (isOver)
      throw new Error(`a command failed (exit code ${this.#child.exitCode}):\n${this.#output.slice(-4000)}`);
    this.printed = this.#output.slice(0, -END.length);
    return this.printed;
  }

  async #printed() {
    while (!this.#output.endsWith(END) && this.#child.exitCode === null) await delay(20);
    if (!this.#output.endsWith(END)) await this.#closed;
  }

  async close() {
    const { pid = 0, exitCode } = this.#child;
    if (exitCode !== null) return;
    this.#child.stdin.end('exit 0\n');
    const limit = new AbortController();
    const isOver = await Promise.race([
      this.#closed.then(() => true),
      delay(2000, false, { signal: limit.signal }),
    ]).finally(() => limit.abort());
    if (!isOver && pid > 0) process.kill(-pid, 'SIGKILL');
  }
}
