import { Injectable } from '@nestjs/common';
import type { Difference } from './reconciliation-report.pure.js';
import { HoldingsCheck } from './holdings-check.service.js';
import { RowsCheck } from './rows-check.service.js';
import { SettingsCheck } from './settings-check.service.js';
import { WalletCheck } from './wallet-check.service.js';

/** What belongs to merchants rather than to a payment, and is compared by every run. */
@Injectable()
export class OwnerChecks {
  constructor(
    private readonly wallets: WalletCheck,
    private readonly settings: SettingsCheck,
    private readonly rows: RowsCheck,
    private readonly holdings: HoldingsCheck,
  ) {}

  async run(): Promise<Difference[]> {
    const checks = [this.wallets, this.settings, this.rows, this.holdings];
    const differences: Difference[] = [];
    for (const check of checks) differences.push(...(await check.run()));
    return differences;
  }
}
