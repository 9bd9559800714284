import type { Failpoint } from '../../src/platform/kernel/failpoints.js';
import type { Kill, KillSchedule } from './kill-schedule.js';
import type { Tally } from './round.js';
import { FAILPOINTS, ROLES, crashPointOf } from './crash-points.js';

/** What happened in all rounds of a run, and which events a conclusive run still lacks. */
export class Summary {
  private readonly kills: Kill[] = [];
  private readonly sums = new Map<keyof Tally, number>();
  /** Clients that Postgres lost in the middle of a transaction, according to its log. */
  brokenTransactions = 0;

  add(schedule: KillSchedule, tally: Tally): void {
    this.kills.push(...schedule.done);
    for (const [name, count] of Object.entries(tally) as [keyof Tally, number][])
      this.sums.set(name, this.sum(name) + count);
  }

  /** Failpoints without a kill. */
  failpointsUnseen(): Failpoint[] {
    return FAILPOINTS.filter((name) => this.at(name) === 0);
  }

  /** Events that did not occur, without which a run proves too little. */
  missing(): string[] {
    const musts: [what: string, count: number][] = [
      ...FAILPOINTS.map((name): [string, number] => [`a kill at ${name}`, this.at(name)]),
      ...ROLES.map((role): [string, number] => [
        `a kill of a process with the role ${role}`,
        this.count((kill) => kill.role === role),
      ]),
      ['a kill at a random time', this.count(({ failpoint }) => failpoint === null)],
      ['a kill during a start', this.count(({ wasReady }) => !wasReady)],
      ['a transaction whose client was lost', this.brokenTransactions],
      ['a webhook delivered again after a success', this.sum('redeliveredAfterSuccess')],
      ['a webhook delivered again after a failure', this.sum('redeliveredAfterFailure')],
      ['a request without a response', this.sum('lostAnswers')],
      ['a repeated request with the response of the first one', this.sum('replayedAnswers')],
      ['a watcher that took over', this.sum('watchersTakenOver')],
      ['a fork', this.sum('forks')],
      ['a completed refund', this.sum('refunds')],
      ['a transfer', this.sum('transfers')],
    ];
    return musts.filter(([, count]) => count <= 0).map(([what]) => what);
  }

  report(): string {
    const atRandom = this.count(({ failpoint }) => failpoint === null);
    const inside = this.count(
      ({ failpoint }) => failpoint !== null && crashPointOf(failpoint).isInTransaction,
    );
    const sum = (name: keyof Tally) => this.sum(name);
    return [
      `kills: ${this.kills.length}; ${this.kills.length - atRandom} at failpoints, ${atRandom} at random times; ${this.count(({ wasReady }) => !wasReady)} of all before the process was ready`,
      `by process: ${ROLES.map((role) => `${role} ${this.count((kill) => kill.role === role)}`).join(', ')}`,
      ...FAILPOINTS.map((name) => `  ${name.padEnd(28)} ${String(this.at(name)).padStart(5)}`),
      `in a transaction: ${inside} by failpoint; Postgres lost ${this.brokenTransactions} clients with an open transaction`,
      `payments ${sum('payments')}, refunds ${sum('refunds')}, transactions ${sum('transactions')}, transfers ${sum('transfers')}, forks ${sum('forks')}, events ${sum('events')}`,
      `requests without a response ${sum('lostAnswers')}, temporarily refused ${sum('refusedAnswers')}, repeated with the first response ${sum('replayedAnswers')}`,
      `webhooks received ${sum('webhooks')}; again after a success ${sum('redeliveredAfterSuccess')}, again after a failure ${sum('redeliveredAfterFailure')}`,
      `leases of killed processes that were ended ${sum('leasesEnded')}, takeovers by watchers ${sum('watchersTakenOver')}`,
    ]
      .map((line) => `  ${line}`)
      .join('\n');
  }

  private at(failpoint: Kill['failpoint']): number {
    return this.count((kill) => kill.failpoint === failpoint);
  }

  private count(counts: (kill: Kill) => boolean): number {
    return this.kills.filter(counts).length;
  }

  private sum(name: keyof Tally): number {
    return this.sums.get(name) ?? 0;
  }
}
