import type { Failpoint } from '../../src/platform/kernel/failpoints.js';
import { seededRandom } from '../support/seeded-random.js';
import { FAILPOINTS, type ProcessRole, crashPointOf } from './crash-points.js';

/** How a process is to be killed after it is ready. */
export type PlannedKill =
  | { kind: 'failpoint'; failpoint: Failpoint; times: number; patienceMs: number }
  | { kind: 'random'; afterMs: number }
  | { kind: 'none' };

export interface Kill {
  role: ProcessRole;
  /** Null: at a random time. */
  failpoint: Failpoint | null;
  wasReady: boolean;
}

/**
 * A process that does not reach its failpoint within this time is killed anyway; for a machine where a start takes one
 * second. The second watcher is idle while the first one runs, and forks and refunds do not happen every second.
 */
const PATIENCE_MS: Readonly<Record<ProcessRole, number>> = { api: 4_000, watcher: 16_000, worker: 4_000 };

/** Plans and records the kills: at every failpoint in turn, and at random times between them. */
export class KillSchedule {
  readonly done: Kill[] = [];
  private readonly pick: (below: number) => number;
  private readonly tries = new Map<Failpoint, number>();

  /**
   * @param kills number of kills; after them only the failpoints of `demanded` without a kill, up to `most` kills
   * @param only failpoints to choose from, without random times; default: all of them, and random times
   */
  constructor(
    seed: number,
    private readonly kills: number,
    private readonly most: number,
    private readonly demanded: readonly Failpoint[],
    private readonly only: readonly Failpoint[] | null = null,
  ) {
    // The first numbers of this generator are similar for neighboring seeds.
    this.pick = seededRandom(Math.imul(seed, 0x9e3779b1) ^ 0x3c6ef372);
  }

  get isFulfilled(): boolean {
    const { length } = this.done;
    if (this.only) return length >= this.kills;
    return length >= this.most || (length >= this.kills && this.missing().length === 0);
  }

  /** Demanded failpoints without a kill. */
  private missing(): Failpoint[] {
    return this.demanded.filter((name) => !this.done.some(({ failpoint }) => failpoint === name));
  }

  /** Whether the next process is killed during its start: loading, migrations, keys, listening. */
  isEarly(): boolean {
    return this.only === null && this.done.length < this.kills && this.pick(12) === 0;
  }

  /**
   * Milliseconds from the start, for {@link isEarly}.
   * @param pace seconds that a start takes on this machine
   */
  earlyDelayMs(pace: number): number {
    return this.pick(1_000) * pace;
  }

  /** @param pace seconds that a start takes on this machine: times are proportional to it */
  next(role: ProcessRole, pace: number): PlannedKill {
    if (this.isFulfilled) return { kind: 'none' };
    const isEnough = this.done.length >= this.kills;
    const choice = (this.only ?? (isEnough ? this.missing() : FAILPOINTS)).filter((name) =>
      crashPointOf(name).roles.includes(role),
    );
    if (choice.length === 0) return { kind: 'none' };
    if (!this.only && !isEnough && this.pick(4) === 0)
      return { kind: 'random', afterMs: this.pick(1_000) * pace };
    const failpoint = this.rarest(choice);
    this.tries.set(failpoint, (this.tries.get(failpoint) ?? 0) + 1);
    return { kind: 'failpoint', failpoint, times: 1 + this.pick(3), patienceMs: PATIENCE_MS[role] * pace };
  }

  record(kill: Kill): void {
    this.done.push(kill);
  }

  private rarest(choice: readonly Failpoint[]): Failpoint {
    const triesOf = (name: Failpoint) => this.tries.get(name) ?? 0;
    const least = Math.min(...choice.map(triesOf));
    const rare = choice.filter((name) => triesOf(name) === least);
    return rare[this.pick(rare.length)] ?? 'transaction.before-commit';
  }
}
