import { Injectable } from '@nestjs/common';
import type { Difference } from './reconciliation-report.pure.js';
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
  ) {}

  async run(): Promise<Difference[]> {
    return [...(await this.wallets.run()), ...(await this.settings.run()), ...(await this.rows.run())];
  }
}
