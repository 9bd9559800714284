import { Injectable } from '@nestjs/common';
import type { AuditRow } from '../../platform/audit/audit-chain.pure.js';
import { AuditHistory } from '../../platform/audit/audit-history.service.js';
import { Sql } from '../../platform/database/sql.js';
import { WalletRecords } from '../../wallets/wallet-records.service.js';
import type { Difference } from './reconciliation-report.pure.js';
import { auditWallets, type WalletEntry } from './wallet-audit.pure.js';

/** Compares all wallets with the audit log, as both are at one moment. */
@Injectable()
export class WalletCheck {
  constructor(
    private readonly sql: Sql,
    private readonly wallets: WalletRecords,
    private readonly audit: AuditHistory,
  ) {}

  async run(): Promise<Difference[]> {
    return this.sql.snapshot(async () => {
      const entries = (await this.audit.list('wallet')).map(toEntry);
      return auditWallets(await this.wallets.listWallets(), await this.wallets.listChoices(), entries);
    });
  }
}

function toEntry({ act, targetId, userId, details }: AuditRow): WalletEntry {
  const { family, applicationId, fingerprint } = JSON.parse(details) as Record<string, unknown>;
  return {
    act,
    walletId: targetId ?? '',
    userId,
    applicationId: typeof applicationId === 'string' ? applicationId : null,
    family: String(family),
    fingerprint: typeof fingerprint === 'string' ? fingerprint : null,
  };
}
