import { Injectable } from '@nestjs/common';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { BatchCheck } from './batch-check.service.js';
import { CursorCheck } from './cursor-check.service.js';
import { problemOf, type Report, ReportBuilder } from './reconciliation-report.pure.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { SettingsCheck } from './settings-check.service.js';
import { type Unspent, UnspentOutputs } from './unspent-outputs.service.js';
import { WalletCheck } from './wallet-check.service.js';

export interface ReconciliationOptions {
  /** Differences, and unattributed deposits, that are listed one by one. */
  limit: number;
  /** Milliseconds; null: until everything is compared. */
  budget: number | null;
}

/**
 * Recomputes the records from the chains and from the facts. It changes nothing and stores how it ended. Payments are
 * compared a batch at a time, each at one moment of the database and with the chain at that moment's cursor, while the
 * gateway runs.
 */
@Injectable()
export class Reconciliation {
  constructor(
    private readonly clock: Clock,
    private readonly repository: ReconciliationRepository,
    private readonly cursorCheck: CursorCheck,
    private readonly unspentOutputs: UnspentOutputs,
    private readonly batchCheck: BatchCheck,
    private readonly walletCheck: WalletCheck,
    private readonly settingsCheck: SettingsCheck,
  ) {}

  async run({ limit, budget }: ReconciliationOptions): Promise<Report> {
    const startedAt = performance.now();
    const report = new ReportBuilder(this.clock.now(), limit);
    const comparable = await this.cursorCheck.run(report);
    for (const difference of await this.walletCheck.run()) report.addDifference(difference);
    for (const difference of await this.settingsCheck.run()) report.addDifference(difference);
    // A scan takes minutes: only callers without a time limit wait for it.
    const unspent = budget === null ? await this.scan(report, comparable) : new Map<string, Unspent>();
    for (let after: string | null = null; ;) {
      if (budget !== null && performance.now() - startedAt > budget) {
        report.leaveOut(`stopped after ${budget / 1_000} s; the command line has no limit`);
        break;
      }
      const batch = await this.batchCheck.run(after, { comparable, unspent });
      for (const [chain, problem] of batch.failures) {
        comparable.delete(chain);
        report.leaveOutChain(chain, problem);
      }
      report.add(batch);
      if (batch.lastId === null) break;
      after = batch.lastId;
    }
    const built = report.build(this.clock.now());
    await this.repository.saveState({
      finishedAt: built.finishedAt,
      differences: built.differenceCount,
      leftOut: built.notChecked.length,
    });
    return built;
  }

  /** The unspent outputs of UTXO chains, by slug. Addresses of a chain that is missing are compared without them. */
  private async scan(report: ReportBuilder, chains: ReadonlySet<string>): Promise<Map<string, Unspent>> {
    const unspent = new Map<string, Unspent>();
    for (const slug of chains) {
      try {
        const found = await this.unspentOutputs.find(slug);
        if (found) unspent.set(slug, found);
      } catch (error) {
        report.leaveOut(`${slug}: what its addresses hold: ${problemOf(error)}`);
      }
    }
    return unspent;
  }
}
