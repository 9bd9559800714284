import type { Failpoint } from '../../src/platform/runtime/failpoints.js';
import { seededRandom } from '../support/seeded-random.js';
import { FAILPOINTS, type ProcessRole, crashPointOf } from './crash-points.js';

/** How a process that is ready is to end. */
export type PlannedKill =
  | { kind: 'failpoint'; failpoint: Failpoint; times: number; patienceMs: number }
  /** At a random moment. */
  | { kind: 'chance'; afterMs: number }
  | { kind: 'spared' };

/** One death. */
export interface Death {
  role: ProcessRole;
  /** Null: by chance. */
  failpoint: Failpoint | null;
  wasReady: boolean;
}

/**
 * A process that does not come to its failpoint within this dies by chance; on a machine where a start takes a second.
 * One of two watchers only waits for the other's end, and forks and refunds do not come every second.
 */
const PATIENCE_MS: Readonly<Record<ProcessRole, number>> = { api: 4_000, watcher: 16_000, worker: 4_000 };

/** Decides who dies of what, and counts it: every failpoint in turn, and chance between them. */
export class KillSchedule {
  readonly deaths: Death[] = [];
  private readonly pick: (below: number) => number;
  private readonly tries = new Map<Failpoint, number>();

  /**
   * @param kills how many in all; then only failpoints of `demanded` without a kill yet, up to `most`
   * @param only failpoints to choose from, without chance; default: all of them, and chance
   */
  constructor(
    seed: number,
    private readonly kills: number,
    private readonly most: number,
    private readonly demanded: readonly Failpoint[],
    private readonly only: readonly Failpoint[] | null = null,
  ) {
    // Consecutive seeds of this generator begin alike.
    this.pick = seededRandom(Math.imul(seed, 0x9e3779b1) ^ 0x3c6ef372);
  }

  get isFulfilled(): boolean {
    const { length } = this.deaths;
    if (this.only) return length >= this.kills;
    return length >= this.most || (length >= this.kills && this.missing().length === 0);
  }

  /** Demanded, and without a kill. */
  private missing(): Failpoint[] {
    return this.demanded.filter((name) => !this.deaths.some(({ failpoint }) => failpoint === name));
  }

  /** Death in the first moments: reading the program, migrations, keys, listening. */
  diesEarly(): boolean {
    return this.only === null && this.deaths.length < this.kills && this.pick(12) === 0;
  }

  /**
   * Milliseconds from the start, for {@link diesEarly}.
   * @param pace seconds that a start takes here
   */
  soon(pace: number): number {
    return this.pick(1_000) * pace;
  }

  /** @param pace as above: on a busy machine everything takes longer */
  next(role: ProcessRole, pace: number): PlannedKill {
    if (this.isFulfilled) return { kind: 'spared' };
    const isEnough = this.deaths.length >= this.kills;
    const choice = (this.only ?? (isEnough ? this.missing() : FAILPOINTS)).filter((name) =>
      crashPointOf(name).roles.includes(role),
    );
    if (choice.length === 0) return { kind: 'spared' };
    if (!this.only && !isEnough && this.pick(4) === 0)
      return { kind: 'chance', afterMs: this.pick(1_000) * pace };
    const failpoint = this.rarest(choice);
    this.tries.set(failpoint, (this.tries.get(failpoint) ?? 0) + 1);
    return { kind: 'failpoint', failpoint, times: 1 + this.pick(3), patienceMs: PATIENCE_MS[role] * pace };
  }

  fulfil(death: Death): void {
    this.deaths.push(death);
  }

  private rarest(choice: readonly Failpoint[]): Failpoint {
    const triesOf = (name: Failpoint) => this.tries.get(name) ?? 0;
    const least = Math.min(...choice.map(triesOf));
    const rare = choice.filter((name) => triesOf(name) === least);
    return rare[this.pick(rare.length)] ?? 'transaction.before-commit';
  }
}
