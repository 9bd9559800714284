import { Injectable } from '@nestjs/common';
import type { Difference } from './reconciliation-report.pure.js';
import { ReconciliationRepository } from './reconciliation.repository.js';

/** What applications are said to have received is the sum of their transfers. */
@Injectable()
export class HoldingsCheck {
  constructor(private readonly records: ReconciliationRepository) {}

  async run(): Promise<Difference[]> {
    const differences: Difference[] = [];
    for (const id of await this.records.applicationIds())
      for (const { chain, asset, expected, found } of await this.records.wrongHoldings(id))
        differences.push({
          check: 'holdings',
          chain,
          paymentId: null,
          subject: `application ${id} ${asset}`,
          expected,
          found,
        });
    return differences;
  }
}
