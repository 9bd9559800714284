import { Injectable } from '@nestjs/common';
import type { AuditAction } from '../kernel/audit-actions.pure.js';
import { auditHash, type AuditRow } from './audit-chain.pure.js';
import { AuditLogRepository, type AuditFilter } from './audit-log.repository.js';
import { AuditMacs } from './audit-macs.service.js';

const BATCH = 1_000;

/** Reads the entries about one kind of objects. Whether they are complete is what `verify:audit` proves. */
@Injectable()
export class AuditHistory {
  constructor(
    private readonly entries: AuditLogRepository,
    private readonly macs: AuditMacs,
  ) {}

  /** What concerns one user, the newest first. @param before older than this number; null: from the newest on */
  listOfUser(filter: AuditFilter, before: bigint | null, limit: number): Promise<AuditRow[]> {
    return this.entries.listOfUser(filter, before, limit);
  }

  /** Whether the gateway itself has written that a user did this to an object. */
  async hasDone(userId: string, act: AuditAction, target: { kind: string; id: string }): Promise<boolean> {
    const { kind: targetKind, id: targetId } = target;
    const filter = { userId, act, targetKind, targetId, from: null, to: null, issuedTokens: true };
    const rows = await this.entries.listOfUser(filter, null, BATCH);
    return rows.some((row) => this.isAuthentic(row));
  }

  private isAuthentic(row: AuditRow): boolean {
    return row.mac !== null && this.macs.isOfEntry(row, row.mac) && auditHash(row).equals(row.hash);
  }

  /** When each user last signed in, by id; absent: never. */
  async lastSignIns(userIds: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.entries.lastSignIns(userIds);
    return new Map(rows.map(({ userId, at }) => [userId, at]));
  }

  /**
   * Those of the users whose address an operator named; not where its user chose it, or who invited them. The log is what
   * nobody without APP_KEYS can change unnoticed (docs/decisions/0875-addresses-that-nobody-vouched-for.md).
   */
  async vouched(userIds: readonly string[]): Promise<Set<string>> {
    const newest = await this.entries.lastVouchings(userIds);
    const isVouched = (entry: { act: AuditAction; details: string }) =>
      entry.act !== 'user.email_changed' &&
      (JSON.parse(entry.details) as { vouched?: boolean }).vouched !== false;
    return new Set(newest.filter(isVouched).map(({ userId }) => userId));
  }

  /** In their order. @param targetKind e.g. `wallet` */
  async list(targetKind: string): Promise<AuditRow[]> {
    const all: AuditRow[] = [];
    for (;;) {
      const batch = await this.entries.listOfTarget(targetKind, all.at(-1)?.seq ?? 0n, BATCH);
      all.push(...batch);
      if (batch.length < BATCH) return all;
    }
  }
}
