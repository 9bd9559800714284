import type { Failpoint } from '../../src/platform/runtime/failpoints.js';
import type { Death, KillSchedule } from './kill-schedule.js';
import type { Tally } from './round.js';
import { FAILPOINTS, ROLES, crashPointOf } from './crash-points.js';

/** What all rounds of a run went through, and whether it was worth something. */
export class Summary {
  private readonly deaths: Death[] = [];
  private readonly sums = new Map<keyof Tally, number>();
  /** Clients that Postgres lost in the middle of a transaction, from its log. */
  brokenTransactions = 0;

  add(kills: KillSchedule, tally: Tally): void {
    this.deaths.push(...kills.deaths);
    for (const [name, count] of Object.entries(tally) as [keyof Tally, number][])
      this.sums.set(name, this.sum(name) + count);
  }

  /** Failpoints without a kill yet. */
  failpointsUnseen(): Failpoint[] {
    return FAILPOINTS.filter((name) => this.at(name) === 0);
  }

  /** What never came to pass; a run without it proves less than it says. */
  missing(): string[] {
    const musts: [what: string, count: number][] = [
      ...FAILPOINTS.map((name): [string, number] => [`a death at ${name}`, this.at(name)]),
      ...ROLES.map((role): [string, number] => [
        `a death of a ${role}`,
        this.count((death) => death.role === role),
      ]),
      ['a death by chance', this.count(({ failpoint }) => failpoint === null)],
      ['a death while starting', this.count(({ wasReady }) => !wasReady)],
      ['a transaction that Postgres lost its client of', this.brokenTransactions],
      ['a webhook delivered again after it had been answered', this.sum('redeliveredAfterSuccess')],
      ['a webhook delivered again after it had failed', this.sum('redeliveredAfterFailure')],
      ['a request without a response', this.sum('lostAnswers')],
      ['a repeated request that was answered what the first one was', this.sum('replayedAnswers')],
      ['a watcher that took over', this.sum('watchersTakenOver')],
      ['a fork', this.sum('forks')],
      ['a completed refund', this.sum('refunds')],
      ['a transfer', this.sum('transfers')],
    ];
    return musts.filter(([, count]) => count <= 0).map(([what]) => what);
  }

  report(): string {
    const byChance = this.count(({ failpoint }) => failpoint === null);
    const inside = this.count(
      ({ failpoint }) => failpoint !== null && crashPointOf(failpoint).isInTransaction,
    );
    const sum = (name: keyof Tally) => this.sum(name);
    return [
      `kills: ${this.deaths.length}; ${this.deaths.length - byChance} at failpoints, ${byChance} by chance, ${this.count(({ wasReady }) => !wasReady)} of them all before the process was ready`,
      `by process: ${ROLES.map((role) => `${role} ${this.count((death) => death.role === role)}`).join(', ')}`,
      ...FAILPOINTS.map((name) => `  ${name.padEnd(28)} ${String(this.at(name)).padStart(5)}`),
      `in the middle of a transaction: ${inside} by failpoint; Postgres lost ${this.brokenTransactions} clients with an open transaction`,
      `payments ${sum('payments')}, refunds ${sum('refunds')}, transactions ${sum('transactions')}, transfers ${sum('transfers')}, forks ${sum('forks')}, events ${sum('events')}`,
      `requests that nobody answered ${sum('lostAnswers')}, refused for a moment ${sum('refusedAnswers')}; repeated and answered as the first time ${sum('replayedAnswers')}`,
      `webhooks that arrived ${sum('webhooks')}; again after a success ${sum('redeliveredAfterSuccess')}, again after a failure ${sum('redeliveredAfterFailure')}`,
      `leases of deliveries that were ended for the dead ${sum('leasesEnded')}, watchers that took over ${sum('watchersTakenOver')}`,
    ]
      .map((line) => `  ${line}`)
      .join('\n');
  }

  private at(failpoint: Death['failpoint']): number {
    return this.count((death) => death.failpoint === failpoint);
  }

  private count(counts: (death: Death) => boolean): number {
    return this.deaths.filter(counts).length;
  }

  private sum(name: keyof Tally): number {
    return this.sums.get(name) ?? 0;
  }
}
