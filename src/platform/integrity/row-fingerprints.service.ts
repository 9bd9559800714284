import { Injectable } from '@nestjs/common';
import { noteChange, takeChanges } from '../database/unit-of-work.js';
import { type AuditedColumns, auditedColumns, type AuditedTable } from './audited-table.js';
import type { RowDifference } from './row-difference.pure.js';
import { RowFingerprintRepository } from './row-fingerprint.repository.js';

/** Differences that are listed; more are no better. */
const MOST = 1_000;

/**
 * Fingerprints of the rows that decide who may do what and where events go. An authentic row of an earlier time passes
 * its MAC; the newest entry of the audit log about it says how it was left (docs/decisions/0872-fingerprints-of-rows.md).
 */
@Injectable()
export class RowFingerprints {
  private readonly tables = new Map<string, AuditedColumns>();

  constructor(private readonly repository: RowFingerprintRepository) {}

  /** Repositories register their table. */
  register<E extends object>(table: AuditedTable<E>): void {
    const columns = auditedColumns(table);
    this.tables.set(columns.table, columns);
  }

  /** For a row of any table whose primary key is one column; of a table that is not audited, nothing. */
  noteChange(table: string, id: string): void {
    if (this.tables.has(table)) noteChange({ table, key: [id] });
  }

  /** The rows that the caller's transaction has changed since the last call, as they are now. */
  async takeChanged(): Promise<string[]> {
    const keys = new Map<string, (readonly string[])[]>();
    for (const { table, key } of takeChanges()) keys.set(table, [...(keys.get(table) ?? []), key]);
    const lists = [...keys].map(([name, rows]) => {
      const table = this.tables.get(name);
      if (!table) throw new Error(`${name} is not registered`);
      return this.repository.list(table, rows);
    });
    return (await Promise.all(lists)).flat();
  }

  /** The first {@link MOST}. */
  listDifferences(): Promise<RowDifference[]> {
    return this.repository.listDifferences([...this.tables.values()], MOST);
  }
}
