import { Inject, Injectable } from '@nestjs/common';
import { CONFIG, type Config } from '../../config.js';
import { Clock } from '../kernel/clock.pure.js';
import { noteChange, takeChanges } from '../database/unit-of-work.js';
import { type AuditedColumns, auditedColumns, type AuditedTable } from './audited-table.js';
import type { RowDifference } from './row-difference.pure.js';
import { RowFingerprintRepository } from './row-fingerprint.repository.js';
import { waitingColumns } from './waiting-columns.js';

/** Differences that are listed; more are no better. */
const MOST = 1_000;

/**
 * Fingerprints of the rows that decide who may do what and where events go. An authentic row of an earlier time passes
 * its MAC; the newest entry of the audit log about it says how it was left (docs/decisions/0872-fingerprints-of-rows.md).
 */
@Injectable()
export class RowFingerprints {
  private readonly tables = new Map<string, AuditedColumns>();

  constructor(
    private readonly repository: RowFingerprintRepository,
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
  ) {}

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

  /** The first {@link MOST} of each kind. */
  async listDifferences(): Promise<RowDifference[]> {
    const changed = await this.repository.listDifferences([...this.tables.values()], MOST);
    const columns = waitingColumns(this.config);
    const sleeping = await this.repository.listSleeping(columns, this.clock.now(), MOST);
    return [...changed.map((row) => ({ ...row, sleeps: null })), ...sleeping];
  }
}
