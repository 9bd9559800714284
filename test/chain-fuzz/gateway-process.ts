import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';

/** Ends the gateway when its input closes, which the system does however this process dies. */
const GUARD = '"$0" "$@" >>"$GATEWAY_LOG" 2>&1 & echo "pid $!"; cat > /dev/null; kill -9 $! 2>/dev/null';
const START_TIMEOUT_MS = 60_000;

/** The built gateway in a process of its own, as an operator runs it. */
export class GatewayProcess {
  private constructor(
    private readonly guard: ChildProcess,
    private readonly pid: number,
    private readonly logFile: string,
  ) {}

  /** @param root folder that holds `dist` */
  static async start(root: string, env: Record<string, string>, logFile: string): Promise<GatewayProcess> {
    const program = path.join(root, 'dist/src/main.js');
    const inherited = { PATH: process.env['PATH'] ?? '', TMPDIR: process.env['TMPDIR'] ?? '' };
    const guard = spawn('sh', ['-c', GUARD, process.execPath, program], {
      cwd: root,
      env: { ...inherited, ...env, GATEWAY_LOG: logFile },
      stdio: ['pipe', 'pipe', 'inherit'],
    });
    const [first] = (await once(createInterface(guard.stdout), 'line')) as [string];
    return new GatewayProcess(guard, Number(first.replace('pid ', '')), logFile);
  }

  /** SIGKILL, sent by the guard: no chance to tidy up. */
  async kill(): Promise<void> {
    const ended = once(this.guard, 'exit');
    this.guard.stdin?.end();
    await ended;
  }

  /** @returns false when it has ended by itself */
  freeze(): boolean {
    return this.signal('SIGSTOP');
  }

  /** @returns false when it has ended by itself */
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

  /** False while it is starting, which a lost database ends: its supervisor then starts it again. */
  async wasUp(): Promise<boolean> {
    return (await readFile(this.logFile, 'utf8')).includes('Nest application successfully started');
  }

  /** Died by itself. A zombie's entry is empty: nobody fetches its exit code while the guard waits. */
  async isDead(): Promise<boolean> {
    return (await readFile(`/proc/${this.pid}/cmdline`, 'utf8').catch(() => '')) === '';
  }

  /** @throws Error when the gateway ends, or does not come up */
  async ready(baseUrl: string): Promise<void> {
    const deadline = performance.now() + START_TIMEOUT_MS;
    while (performance.now() < deadline) {
      if (await this.isDead()) throw new Error('the gateway ended');
      const answer = await fetch(`${baseUrl}/api/health/ready`).catch(() => null);
      if (answer?.ok) return;
      await delay(50);
    }
    throw new Error(`the gateway is not ready within ${START_TIMEOUT_MS} ms`);
  }
}
