import { Injectable } from '@nestjs/common';
import { PaymentInvariantsService } from '../../payments/payment-invariants.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { BatchCheck, type CheckedBatch, type ComparedChains } from './batch-check.service.js';
import { CursorCheck } from './cursor-check.service.js';
import { OwnerChecks } from './owner-checks.service.js';
import type { Position } from './progress-line.pure.js';
import { ReconciliationProgress } from './reconciliation-progress.service.js';
import { problemOf, type Report, ReportBuilder } from './reconciliation-report.pure.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { type Unspent, UnspentOutputs } from './unspent-outputs.service.js';
import {
  advanced,
  completed,
  MOST_DIFFERING,
  type Pass,
  passOf,
  type Progress,
} from './verification-pass.pure.js';

/** Payments that are read in one snapshot, and whose balances are read together. */
const BATCH = 500;

export interface ReconciliationOptions {
  /** Differences, and unattributed deposits, that are listed one by one. */
  limit: number;
  /** Milliseconds; null: until everything is compared. */
  budget: number | null;
  /**
   * Goes on from where the last such run ended, unless it is to be full, and the next one goes on from here. Without it
   * all payments are compared, and nothing is remembered. A part of a run ends when its time is over; the last one has
   * all differences, and what belongs to merchants.
   */
  continues?: { isFull: boolean; isPart?: boolean };
  /** Called after each batch. */
  onProgress?: (position: Position) => void;
}

/** What a run knows while it compares payments. */
interface Run {
  startedAt: number;
  options: ReconciliationOptions;
  report: ReportBuilder;
  chains: ComparedChains & { comparable: Set<string> };
  /** False once something could not be compared: what comes after is not remembered as compared. */
  isSound: boolean;
  /** Payments that differ. */
  differing: Set<string>;
}

/**
 * Recomputes the records from the chains and from the facts. It changes nothing and stores how it ended. Payments are
 * compared a batch at a time, each at one moment of the database and with the chain at that moment's cursor, while the
 * gateway runs. Cursors, wallets and settings are compared by every run; payments as {@link passOf} says.
 */
@Injectable()
export class Reconciliation {
  constructor(
    private readonly clock: Clock,
    private readonly repository: ReconciliationRepository,
    private readonly progress: ReconciliationProgress,
    private readonly payments: PaymentInvariantsService,
    private readonly cursorCheck: CursorCheck,
    private readonly unspentOutputs: UnspentOutputs,
    private readonly batchCheck: BatchCheck,
    private readonly ownerChecks: OwnerChecks,
  ) {}

  async run(options: ReconciliationOptions): Promise<Report> {
    const startedAt = performance.now();
    const report = new ReportBuilder(this.clock.now(), options.limit);
    const comparable = await this.cursorCheck.run(report);
    const isPart = options.continues?.isPart ?? false;
    if (!isPart) await this.checkOwners(report);
    // A scan takes minutes: only callers without a time limit wait for it.
    const found = options.budget === null ? await this.scan(report, comparable) : null;
    const isSound =
      (found?.isWhole ?? true) &&
      report.chains.every(({ chain, height }) => height === null || comparable.has(chain));
    const chains = { comparable, unspent: found?.unspent ?? new Map<string, Unspent>() };
    const run = { startedAt, options, report, chains, isSound, differing: new Set<string>() };
    await this.comparePayments(run);
    if (isPart && !report.isStopped) await this.checkOwners(report);
    const built = report.build(this.clock.now());
    // What was stopped says nothing about all payments.
    if (!built.isStopped)
      await this.repository.saveState({
        finishedAt: built.finishedAt,
        differences: built.differenceCount,
        leftOut: built.notChecked.length,
      });
    return built;
  }

  private async checkOwners(report: ReportBuilder): Promise<void> {
    for (const difference of await this.ownerChecks.run()) report.addDifference(difference);
  }

  private async comparePayments(run: Run): Promise<void> {
    const { report, options, chains } = run;
    const stored = await this.progress.read();
    const slugs = [...chains.comparable];
    const pass = passOf(stored, slugs, options.continues?.isFull ?? true, this.clock.now());
    const isAnew = pass.since === null && pass.after === null;
    report.scope = {
      since: pass.since,
      resumedAt: pass.after === null ? null : pass.startedAt,
      fullAt: stored.fullAt,
    };
    // Those that differed before are compared again at the end, unless they are among all that follow.
    const again = new Set(isAnew ? [] : stored.differing);
    for (const id of again) run.differing.add(id);
    if (!(await this.walk(run, pass, { stored, slugs, left: again }))) return;
    for (const id of again) run.differing.delete(id);
    const ids = [...again];
    for (let i = 0; i < ids.length; i += BATCH) await this.compareBatch(run, ids.slice(i, i + BATCH));
    await this.remember(run, completed(stored, pass, run.differing, slugs));
  }

  /** Leaves some payments for later. Returns whether it reached the last one. */
  private async walk(
    run: Run,
    pass: Pass,
    { stored, slugs, left }: { stored: Progress; slugs: readonly string[]; left: ReadonlySet<string> },
  ): Promise<boolean> {
    const { options, startedAt, differing } = run;
    const total = options.onProgress ? await this.payments.count(pass.after) : 0;
    let done = 0;
    for (let { after } = pass; ;) {
      const { ids, lastId, walked } = await this.payments.next(after, pass.since, BATCH);
      if (lastId === null) return true;
      await this.compareBatch(
        run,
        ids.filter((id) => !left.has(id)),
      );
      after = lastId;
      done += walked;
      await this.remember(run, advanced(stored, pass, after, differing, slugs));
      options.onProgress?.({ done, total, elapsedMs: performance.now() - startedAt });
      if (options.budget !== null && performance.now() - startedAt >= options.budget)
        return this.stop(run, stored);
    }
  }

  /** After the time of a run is over. */
  private async stop(run: Run, stored: Progress): Promise<false> {
    const { report, options, differing } = run;
    const isPart = options.continues?.isPart ?? false;
    if (isPart && differing.size > MOST_DIFFERING) {
      report.leaveOut(`stopped after ${MOST_DIFFERING} payments that differ; the command line lists more`);
      await this.remember(run, { ...stored, pass: null, differing: [...differing] });
      return false;
    }
    report.isStopped = true;
    if (!isPart)
      report.leaveOut(`stopped after ${(options.budget ?? 0) / 1_000} s; the command line has no limit`);
    return false;
  }

  private async compareBatch(run: Run, paymentIds: readonly string[]): Promise<void> {
    if (paymentIds.length === 0) return;
    const batch: CheckedBatch = await this.batchCheck.run(paymentIds, run.chains);
    for (const [chain, problem] of batch.failures) {
      run.chains.comparable.delete(chain);
      run.report.leaveOutChain(chain, problem);
      run.isSound = false;
    }
    for (const { paymentId } of batch.differences) if (paymentId !== null) run.differing.add(paymentId);
    run.report.add(batch);
  }

  private async remember({ options, isSound }: Run, progress: Progress): Promise<void> {
    if (options.continues && isSound) await this.progress.write(progress);
  }

  /** The unspent outputs of UTXO chains, by slug. Addresses of a chain that is missing are compared without them. */
  private async scan(report: ReportBuilder, chains: ReadonlySet<string>) {
    const unspent = new Map<string, Unspent>();
    let isWhole = true;
    for (const slug of chains) {
      try {
        const found = await this.unspentOutputs.find(slug);
        if (found) unspent.set(slug, found);
      } catch (error) {
        report.leaveOut(`${slug}: what its addresses hold: ${problemOf(error)}`);
        isWhole = false;
      }
    }
    return { unspent, isWhole };
  }
}
