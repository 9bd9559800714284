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
const START_TIMEOUT_MS = 120_000;

/** The built gateway in a process of its own, as an operator runs it; it dies with the process of the test. */
export class GatewayProcess {
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

  /** @param root folder that holds `dist`; another one than the project's own runs a modified build */
  static async start(env: Record<string, string>, logFile: string, root = ROOT): Promise<GatewayProcess> {
    const log = openSync(logFile, 'a');
    const inherited = { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '' };
    const program = path.join(root, 'dist/src/main.js');
    const guard = spawn('sh', ['-c', GUARD, 'guard', process.execPath, program], {
      cwd: root,
      env: { ...inherited, ...env },
      stdio: ['pipe', 'pipe', 'ignore', 'ignore', log],
    });
    closeSync(log);
    const lines = createInterface(guard.stdout!)[Symbol.asyncIterator]();
    const next = async () => String((await lines.next()).value ?? 'code 137');
    const pid = Number((await next()).replace('pid ', ''));
    return new GatewayProcess(guard, pid, logFile, next());
  }

  get isAlive(): boolean {
    return this.code === null;
  }

  /** The exit code, and the last lines of output that are not JSON log lines, but for the one that tells the end. */
  async exitReport(): Promise<string> {
    const lines = (await readFile(this.logFile, 'utf8'))
      .split('\n')
      .filter((line) => !line.startsWith('{"') || line.startsWith('{"level":"fatal"'));
    return `the gateway exited with ${this.code}: ${lines.slice(-30).join('\n')}`;
  }

  /** @throws Error when the program ends, or does not come up */
  async ready(baseUrl: string): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < deadline) {
      if (!this.isAlive) throw new Error(await this.exitReport());
      const answer = await fetch(`${baseUrl}/api/health/ready`).catch(() => null);
      await answer?.arrayBuffer();
      if (answer?.ok) return;
      await delay(50);
    }
    throw new Error(`the gateway is not ready within ${START_TIMEOUT_MS} ms`);
  }

  /** Sends SIGTERM and returns the exit code. */
  async terminate(): Promise<number> {
    if (this.isAlive) process.kill(this.pid, 'SIGTERM');
    await this.ended;
    return this.code ?? -1;
  }

  /** SIGKILL, sent by the guard. */
  async kill(): Promise<void> {
    this.guard.stdin?.end();
    if (this.guard.exitCode === null) await once(this.guard, 'exit');
  }

  /** @returns false when it has exited */
  freeze(): boolean {
    return this.signal('SIGSTOP');
  }

  /** @returns false when it has exited */
  thaw(): boolean {
    return this.signal('SIGCONT');
  }

  private signal(name: 'SIGSTOP' | 'SIGCONT'): boolean {
    try {
      return process.kill(this.pid, name);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ESRCH') return false;
      throw error;
    }
  }

  /** False if it exited during its start, for example because the database was away. */
  async wasUp(): Promise<boolean> {
    return (await readFile(this.logFile, 'utf8')).includes('"msg":"ready"');
  }
}
