import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends the program when our input to it closes, which the system does however this process dies. */
const GUARD = `exec 3<&0
"$@" >&4 2>&4 3<&- & pid=$!
echo "pid $pid"
(cat <&3 >/dev/null; kill -9 $pid 2>/dev/null) 4>&- &
wait $pid; echo "code $?"`;
const ROOT = path.resolve(import.meta.dirname, '../..');
const START_TIMEOUT_MS = 60_000;

/** One of the built programs in a process of its own, which may be asked to leave. */
export class Program {
  private code: number | null = null;
  private readonly ended: Promise<void>;

  private constructor(
    private readonly guard: ChildProcess,
    readonly pid: number,
    private readonly logFile: string,
    codeLine: Promise<string>,
  ) {
    this.ended = codeLine.then((line) => {
      this.code = Number(line.replace('code ', ''));
      guard.stdin?.end();
    });
  }

  /** @param args of Node, the script first, from the project's folder */
  static async start(args: string[], env: Record<string, string>, logFile: string): Promise<Program> {
    const log = openSync(logFile, 'a');
    const inherited = { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '' };
    const guard = spawn('sh', ['-c', GUARD, 'guard', process.execPath, ...args], {
      cwd: ROOT,
      env: { ...inherited, ...env },
      stdio: ['pipe', 'pipe', 'ignore', 'ignore', log],
    });
    closeSync(log);
    const lines = createInterface(guard.stdout!)[Symbol.asyncIterator]();
    const next = async () => String((await lines.next()).value ?? 'code 137');
    const pid = Number((await next()).replace('pid ', ''));
    return new Program(guard, pid, logFile, next());
  }

  static gateway(env: Record<string, string>, logFile: string): Promise<Program> {
    return Program.start(['dist/src/main.js'], env, logFile);
  }

  get isAlive(): boolean {
    return this.code === null;
  }

  /** What its last lines said, where they were no JSON lines of the log. */
  async lastWords(): Promise<string> {
    const lines = (await readFile(this.logFile, 'utf8')).split('\n').filter((line) => !line.startsWith('{'));
    return `it ended with ${this.code}: ${lines.slice(-30).join('\n')}`;
  }

  /** @throws Error when the program ends, or does not come up */
  async ready(baseUrl: string): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < deadline) {
      if (!this.isAlive) throw new Error(`the gateway ended with ${this.code}`);
      const answer = await fetch(`${baseUrl}/api/health/ready`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      await delay(50);
    }
    throw new Error(`the gateway is not ready within ${START_TIMEOUT_MS} ms`);
  }

  /** SIGTERM; answers the exit code. */
  async leave(): Promise<number> {
    if (this.isAlive) process.kill(this.pid, 'SIGTERM');
    await this.ended;
    return this.code ?? -1;
  }

  async kill(): Promise<void> {
    this.guard.stdin?.end();
    if (this.guard.exitCode === null) await once(this.guard, 'exit');
  }
}
