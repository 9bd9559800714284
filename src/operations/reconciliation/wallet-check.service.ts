import { Injectable } from '@nestjs/common';
import type { AuditRow } from '../../platform/integrity/audit-chain.pure.js';
import { AuditHistory } from '../../platform/integrity/audit-history.service.js';
import { Sql } from '../../platform/database/sql.js';
import { WalletRecords } from '../../wallets/wallet-records.service.js';
import type { Difference } from './reconciliation-report.pure.js';
import { auditWalletChanges, type WalletChangeEntry } from './wallet-change-audit.pure.js';
import { auditWallets, type WalletEntry } from './wallet-audit.pure.js';

/** Compares all wallets and their changes with the audit log, as all of them are at one moment. */
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
      const changes = (await this.audit.list('wallet_change')).map(toChangeEntry);
      return [
        ...auditWallets(await this.wallets.listWallets(), await this.wallets.listChoices(), entries),
        ...auditWalletChanges(await this.wallets.listChanges(), changes),
      ];
    });
  }
}

function toChangeEntry({ act, targetId, details }: AuditRow): WalletChangeEntry {
  const { family } = JSON.parse(details) as Record<string, unknown>;
  return { act, changeId: targetId ?? '', family: String(family) };
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
