import { randomUUID } from 'node:crypto';
import { Inject, Injectable, Logger } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { hasAdvanced, nextRun, type NextRun } from './next-run.pure.js';
import { ReconciliationProgress } from './reconciliation-progress.service.js';
import { keyOf, type Report } from './reconciliation-report.pure.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { Reconciliation } from './reconciliation.service.js';

/** Milliseconds. A part ends with the batch in which they pass, so that a process that shuts down waits little. */
const PART_MS = 3_000;
/** Longer than a batch takes beside a slow node. */
const LEASE_SECONDS = 600;
/** Milliseconds until what could not be compared is tried again. */
const RETRY_MS = 300_000;
/** Differences that are logged one by one. */
const LISTED = 100;

/**
 * Makes the verification that the command `verify` makes, every `VERIFY_INTERVAL` and in parts, in one process at a time
 * (decisions/0515-verify-goes-on.md#the-watcher-verifies-by-itself-in-parts-every-day). What each part has compared is remembered, so any process goes on from there.
 */
@Injectable()
export class ScheduledReconciliation {
  private readonly logger = new Logger(ScheduledReconciliation.name);
  /** What was logged and has not gone since. */
  private logged: ReadonlySet<string> = new Set();
  private retryAt = 0;

  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly reconciliation: Reconciliation,
    private readonly progress: ReconciliationProgress,
    private readonly schedule: ReconciliationScheduleRepository,
  ) {}

  /** One part, if it is time. False also while there is more: others need the process too. */
  async runOnce(): Promise<boolean> {
    const now = this.clock.now();
    if (this.config.verifyIntervalSeconds === 0 || now.getTime() < this.retryAt) return false;
    if ((await this.whatIsDue(now, (await this.schedule.get()).fullRequestedAt)) === 'none') return false;
    const token = randomUUID();
    const claimed = await this.schedule.claim(token, LEASE_SECONDS);
    if (!claimed) return false;
    let begun: Date | null = null;
    let part: { startedAt: Date; compared: number } | null = null;
    try {
      // Read again: another process may have done it meanwhile.
      const due = await this.whatIsDue(now, claimed.fullRequestedAt);
      if (due === 'none') return false;
      const before = await this.progress.read();
      const continues = { isFull: due === 'full', isPart: true };
      const report = await this.reconciliation.run({ limit: LISTED, budget: PART_MS, continues });
      const after = await this.progress.read();
      if (after.pass) part = { startedAt: after.pass.startedAt, compared: report.checked.payments };
      if (hasAdvanced(before, after)) begun = claimed.fullRequestedAt;
      else this.retryAt = this.clock.now().getTime() + RETRY_MS;
      this.log(report);
    } finally {
      await this.schedule.release(token, begun, part);
    }
    return false;
  }

  private async whatIsDue(now: Date, fullRequestedAt: Date | null): Promise<NextRun> {
    const intervalMs = this.config.verifyIntervalSeconds * 1_000;
    return nextRun({ progress: await this.progress.read(), fullRequestedAt, intervalMs, now });
  }

  /** What is new: what differs, and why a part could not go on. */
  private log(report: Report): void {
    const found = new Set<string>();
    const log = (key: string, fields: object, text: string) => {
      found.add(key);
      if (!this.logged.has(key)) this.logger.error(fields, text);
    };
    for (const difference of report.differences) log(keyOf(difference), difference, 'records differ');
    // A reason begins with its chain, and a node that is down is noticed now by this request, now by that.
    for (const reason of report.notChecked)
      log(reason.replace(/:.*/s, ''), { reason }, 'verification is incomplete');
    // Only the last part has all differences: what is not in an earlier one has not gone.
    this.logged = report.isStopped ? new Set([...this.logged, ...found]) : found;
  }
}
