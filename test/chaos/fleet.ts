import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { setTimeout as delay } from 'node:timers/promises';
import type { Failpoint } from '../../src/platform/kernel/failpoints.js';
import { freePort } from '../support/free-port.js';
import type { KillSchedule } from './kill-schedule.js';
import { isListening, type Launch } from './launch.js';
import type { ProcessRole } from './crash-points.js';

const POLL_MS = 40;

/** A process of the fleet, which is started again whenever it ends. */
interface Slot {
  role: ProcessRole;
  port: number;
}

export interface FleetOptions {
  /** How the next process of a role is started. */
  launch: (role: ProcessRole) => Launch;
  env: Record<string, string>;
  /** File descriptor of the log of all processes. */
  log: number;
  kills: KillSchedule;
}

/** Processes of the built gateway, as an operator runs them; they are killed by schedule, and started again. */
export class Fleet {
  private readonly running = new Set<FleetProcess>();
  private readonly supervisions: Promise<void>[] = [];
  private isStopped = false;
  private isKillingOver = false;
  /** Seconds that a start takes, at least one: a measure of the load of this machine. */
  pace = 1;
  /** Processes that ended without being killed. */
  readonly unexpectedExits: string[] = [];

  private constructor(
    private readonly options: FleetOptions,
    private readonly slots: readonly Slot[],
  ) {}

  static async start(options: FleetOptions, roles: readonly ProcessRole[]): Promise<Fleet> {
    const slots = await Promise.all(roles.map(async (role) => ({ role, port: await freePort() })));
    const fleet = new Fleet(options, slots);
    for (const slot of slots) fleet.supervisions.push(fleet.supervise(slot));
    return fleet;
  }

  /** The APIs for merchants and customers, some of which may be down at any time. */
  get apiUrls(): string[] {
    return this.slots.flatMap(({ role, port }) => (role === 'api' ? [`http://127.0.0.1:${port}`] : []));
  }

  /** Ends the random kills. A process that has been given a failpoint is still killed when it reaches it. */
  endKilling(): void {
    this.isKillingOver = true;
  }

  async stop(): Promise<void> {
    this.isStopped = true;
    for (const { child } of this.running) child.kill('SIGKILL');
    await Promise.all(this.supervisions);
  }

  private async supervise(slot: Slot): Promise<void> {
    const { kills } = this.options;
    while (!this.isStopped) {
      const member = new FleetProcess(slot, this.options);
      this.running.add(member);
      void this.killBySchedule(member);
      await member.end;
      this.running.delete(member);
      if (this.isStopped) return;
      const { failpoint, isReady: wasReady, child } = member;
      if (member.isKilled) kills.record({ role: slot.role, failpoint, wasReady });
      else this.unexpectedExits.push(`${slot.role} exited by itself: ${child.signalCode ?? child.exitCode}`);
    }
  }

  private async killBySchedule(member: FleetProcess): Promise<void> {
    const isKillingOver = () => this.isKillingOver;
    const { role } = member.slot;
    if (!isKillingOver() && this.options.kills.isEarly())
      return member.killAfter(this.options.kills.earlyDelayMs(this.pace), isKillingOver);
    const start = performance.now();
    await member.ready();
    if (member.isReady) this.pace = Math.max(1, (this.pace + (performance.now() - start) / 1_000) / 2);
    // One process of each role has to run, so that the work continues.
    while (!isKillingOver() && !member.isOver && !this.isReplaceable(member)) await delay(POLL_MS);
    if (isKillingOver() || member.isOver) return;
    const kill = this.options.kills.next(role, this.pace);
    if (kill.kind === 'random') await member.killAfter(kill.afterMs, isKillingOver);
    if (kill.kind === 'failpoint')
      await member.killAt(kill.failpoint, kill.times, kill.patienceMs, isKillingOver);
  }

  /** Whether another process of the role is ready, or the role has one process only. */
  private isReplaceable(member: FleetProcess): boolean {
    const { role } = member.slot;
    const ofRole = this.slots.filter((slot) => slot.role === role).length;
    return (
      ofRole === 1 ||
      [...this.running].some((other) => other !== member && other.slot.role === role && other.isReady)
    );
  }
}

/** One process from its start to its end. */
class FleetProcess {
  readonly child: ChildProcess;
  readonly end: Promise<void>;
  isReady = false;
  /** The failpoint at which it was killed. */
  failpoint: Failpoint | null = null;
  isOver = false;
  private isKilledAtRandom = false;

  constructor(
    readonly slot: Slot,
    { env, log, launch }: FleetOptions,
  ) {
    const { root, args } = launch(slot.role);
    this.child = spawn(process.execPath, args, {
      cwd: root,
      env: {
        PATH: process.env['PATH'] ?? '',
        TMPDIR: process.env['TMPDIR'] ?? '',
        ...env,
        ROLE: slot.role,
        PORT: String(slot.port),
      },
      stdio: ['pipe', log, log, 'pipe'],
    });
    this.child.stdio[3]?.on('data', (chunk: Buffer) => {
      this.failpoint = chunk.toString('utf8') as Failpoint;
    });
    // Writing to a process that has just been killed fails, which does not matter.
    this.child.stdin?.on('error', () => undefined);
    this.end = once(this.child, 'close').then(() => {
      this.isOver = true;
    });
  }

  get isKilled(): boolean {
    return this.child.signalCode === 'SIGKILL' && (this.failpoint !== null || this.isKilledAtRandom);
  }

  async ready(): Promise<void> {
    while (!this.isOver && !(await isListening(this.slot.port))) await delay(POLL_MS);
    this.isReady = !this.isOver;
  }

  /** Kills it when it reaches the failpoint for the n-th time, or at random if it does not reach it in time. */
  async killAt(
    failpoint: Failpoint,
    times: number,
    patienceMs: number,
    isKillingOver: () => boolean,
  ): Promise<void> {
    this.child.stdin?.write(`${failpoint}:${times}\n`);
    await this.killAfter(patienceMs, isKillingOver);
  }

  async killAfter(ms: number, isKillingOver: () => boolean): Promise<void> {
    // On a busy machine it is minutes: what has ended must not hold the harness for so long.
    await Promise.race([delay(ms, undefined, { ref: false }), this.end]);
    if (this.isOver || isKillingOver()) return;
    this.isKilledAtRandom = true;
    this.child.kill('SIGKILL');
  }
}
