import { Inject, Injectable } from '@nestjs/common';
import { ChainsService } from '../../chains/chains.service.js';
import { CONFIG, type Config } from '../../config.js';
import { type Difference, problemOf, type ReportBuilder } from './reconciliation-report.pure.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { MAX_READINGS, pauseBetweenReadings } from './repeated-reading.js';

/** Checks that the cursor of every chain is at a block of that chain. */
@Injectable()
export class CursorCheck {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly repository: ReconciliationRepository,
    private readonly chains: ChainsService,
  ) {}

  /** Adds every chain to the report. Returns those that can be compared. */
  async run(report: ReportBuilder): Promise<Set<string>> {
    const comparable = new Set<string>();
    const cursors = new Map((await this.repository.cursors()).map((cursor) => [cursor.chain, cursor]));
    const unread = await this.repository.unreadTraces();
    for (const { slug } of this.chains.list()) {
      for (const { blocks, lowest } of unread.filter(({ chain }) => chain === slug))
        report.leaveOut(
          `${slug}: payments by contracts in ${blocks} blocks from ${lowest} on: their traces could not be read yet`,
        );
      const { height = null, hash = null, isHalted = false } = cursors.get(slug) ?? {};
      report.chains.push({ chain: slug, height, hash, isHalted, problem: null });
      if (height !== null && (await this.isComparable(slug, report))) comparable.add(slug);
    }
    for (const chain of cursors.keys())
      if (!this.chains.find(chain)) report.leaveOut(`${chain}: no longer configured`);
    return comparable;
  }

  private async isComparable(slug: string, report: ReportBuilder): Promise<boolean> {
    try {
      const difference = await this.findDifference(slug);
      if (!difference) return true;
      report.addDifference(difference);
      report.leaveOutChain(slug, 'its cursor is at a block that the chain does not have');
    } catch (error) {
      report.leaveOutChain(slug, problemOf(error));
    }
    return false;
  }

  /** Reads again while a reorganization may be in progress. @throws Error when the node fails */
  private async findDifference(slug: string): Promise<Difference | null> {
    for (let reading = 1; ; reading++) {
      const cursor = (await this.repository.cursors()).find(({ chain }) => chain === slug);
      if (!cursor) return null;
      const { height, hash: found } = cursor;
      const header = await this.chains.adapter(slug).header(height);
      if (header === null) throw new Error(`the node does not have block ${height} yet`);
      if (header.hash === found) return null;
      if (reading === MAX_READINGS) {
        const subject = `block ${height}`;
        return { check: 'cursor', chain: slug, paymentId: null, subject, expected: header.hash, found };
      }
      await pauseBetweenReadings(this.config, [this.chains.get(slug)]);
    }
  }
}
