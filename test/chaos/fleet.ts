import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Failpoint } from '../../src/platform/runtime/failpoints.js';
import { freePort } from '../support/free-port.js';
import type { KillSchedule } from './kill-schedule.js';
import { isListening, type Launch } from './launch.js';
import type { ProcessRole } from './crash-points.js';

const POLL_MS = 40;

/** One slot of the fleet; a process that dies in it is replaced at once. */
interface Post {
  role: ProcessRole;
  port: number;
}

export interface FleetOptions {
  /** How the next process of a role is started. */
  launch: (role: ProcessRole) => Launch;
  env: Record<string, string>;
  /** File descriptor that all of them write their logs to. */
  log: number;
  kills: KillSchedule;
}

/** The built gateway as processes of an operator's, and the supervisor that starts again what dies. */
export class Fleet {
  private readonly lives = new Set<Life>();
  private readonly tending: Promise<void>[] = [];
  private isStopped = false;
  private isPeace = false;
  /** Seconds that a start takes, at least one: how busy the machine is. */
  pace = 1;
  /** Processes that ended without being killed. */
  readonly strange: string[] = [];

  private constructor(
    private readonly options: FleetOptions,
    private readonly posts: readonly Post[],
  ) {}

  static async start(options: FleetOptions, roles: readonly ProcessRole[]): Promise<Fleet> {
    const posts = await Promise.all(roles.map(async (role) => ({ role, port: await freePort() })));
    const fleet = new Fleet(options, posts);
    for (const post of posts) fleet.tending.push(fleet.tend(post));
    return fleet;
  }

  /** Where merchants and customers ask; not every one answers at every moment. */
  get apiUrls(): string[] {
    return this.posts.flatMap(({ role, port }) => (role === 'api' ? [`http://127.0.0.1:${port}`] : []));
  }

  /** Ends random kills; processes that are armed for a failpoint still die when they reach it. */
  endKilling(): void {
    this.isPeace = true;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { child } of this.lives) child.kill('SIGKILL');
    await Promise.all(this.tending);
  }

  private async tend(post: Post): Promise<void> {
    const { kills } = this.options;
    while (!this.isStopped) {
      const life = new Life(post, this.options);
      this.lives.add(life);
      void this.condemn(life);
      await life.end;
      this.lives.delete(life);
      if (this.isStopped) return;
      const { failpoint, isReady: wasReady } = life;
      if (life.isKilled) kills.fulfil({ role: post.role, failpoint, wasReady });
      else
        this.strange.push(`a ${post.role} ended by itself: ${life.child.signalCode ?? life.child.exitCode}`);
    }
  }

  /** Sees to it that the process ends as it is to. */
  private async condemn(life: Life): Promise<void> {
    const isPeace = () => this.isPeace;
    const { role } = life.post;
    if (!isPeace() && this.options.kills.diesEarly())
      return life.dieAfter(this.options.kills.soon(this.pace), isPeace);
    const start = performance.now();
    await life.ready();
    if (life.isReady) this.pace = Math.max(1, (this.pace + (performance.now() - start) / 1_000) / 2);
    // Work must continue: a process is killed only while another one of its role runs.
    while (!isPeace() && !life.isOver && !this.isStoodInFor(life)) await delay(POLL_MS);
    if (isPeace() || life.isOver) return;
    const kill = this.options.kills.next(role, this.pace);
    if (kill.kind === 'chance') await life.dieAfter(kill.afterMs, isPeace);
    if (kill.kind === 'failpoint') await life.dieAt(kill.failpoint, kill.times, kill.patienceMs, isPeace);
  }

  private isStoodInFor(life: Life): boolean {
    const { role } = life.post;
    const ofRole = this.posts.filter((post) => post.role === role).length;
    return (
      ofRole === 1 ||
      [...this.lives].some((other) => other !== life && other.post.role === role && other.isReady)
    );
  }
}

/** One process from start to end. */
class Life {
  readonly child: ChildProcess;
  readonly end: Promise<void>;
  isReady = false;
  failpoint: Failpoint | null = null;
  private isChance = false;
  isOver = false;

  constructor(
    readonly post: Post,
    { env, log, launch }: FleetOptions,
  ) {
    const { root, args } = launch(post.role);
    this.child = spawn(process.execPath, args, {
      cwd: root,
      env: {
        PATH: process.env['PATH'] ?? '',
        TMPDIR: process.env['TMPDIR'] ?? '',
        ...env,
        ROLE: post.role,
        PORT: String(post.port),
      },
      stdio: ['pipe', log, log, 'pipe'],
    });
    this.child.stdio[3]?.on('data', (chunk: Buffer) => {
      this.failpoint = chunk.toString('utf8') as Failpoint;
    });
    // A pipe into a process that dies; its end is what counts.
    this.child.stdin?.on('error', () => undefined);
    this.end = once(this.child, 'close').then(() => {
      this.isOver = true;
    });
  }

  get isKilled(): boolean {
    return this.child.signalCode === 'SIGKILL' && (this.failpoint !== null || this.isChance);
  }

  async ready(): Promise<void> {
    while (!this.isOver && !(await isListening(this.post.port))) await delay(POLL_MS);
    this.isReady = !this.isOver;
  }

  /** Dies there, or by chance where it does not come there. */
  async dieAt(
    failpoint: Failpoint,
    times: number,
    patienceMs: number,
    isPeace: () => boolean,
  ): Promise<void> {
    this.child.stdin?.write(`${failpoint}:${times}\n`);
    await this.dieAfter(patienceMs, isPeace);
  }

  async dieAfter(ms: number, isPeace: () => boolean): Promise<void> {
    await Promise.race([delay(ms), this.end]);
    if (this.isOver || isPeace()) return;
    this.isChance = true;
    this.child.kill('SIGKILL');
  }
}
