import { Injectable } from '@nestjs/common';
import { AuditLog } from './audit-log.service.js';
import { Keyring } from '../kernel/keyring.js';
import { RowFingerprints } from './row-fingerprints.service.js';
import { Sql } from '../database/sql.js';

/**
 * A column of values that are made with a key of APP_KEYS: encrypted ones (encrypted-column.ts) or MACs (mac-column.ts).
 */
export interface KeyedColumn {
  /** `<table>.<column>`. */
  name: string;
  /** What the rotation does with a value. */
  action: 'encrypted' | 'authenticated';
  /**
   * Rows {@link KeyedRow} with what {@link renew} needs besides, in order of id: those of another key than $1, after
   * id $2 ('': from the first), at most $3; locks them.
   */
  select: string;
  /** Replaces $3 by $2 in row $1. */
  update: string;
  /** The value under the newest key; null when no key of the ring made the one in the row. */
  renew: (keyring: Keyring, row: KeyedRow) => string | null;
}

export interface KeyedRow {
  rowId: string;
  rowValue: string;
}

/** Result of the rotation of one column. */
export interface RotatedColumn {
  name: string;
  action: KeyedColumn['action'];
  renewed: number;
  /** Ids of rows that no key of the ring decrypts or authenticates; they stay as they are. */
  refused: string[];
}

/** Rows per transaction; small, because the gateway keeps running meanwhile. */
const BATCH = 100;
/** Lets the triggers that forbid a change of a value accept one that says the same under another key. */
const ALLOW_RESEALING = `select set_config('gateway.resealing', 'on', true)`;

/**
 * Makes anew with the newest key what older keys have made, so that those can be removed from APP_KEYS. Each batch is
 * a transaction, so an interrupted run resumes where it stopped. Running gateways that have both keys are unaffected.
 */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
    private readonly audit: AuditLog,
    private readonly fingerprints: RowFingerprints,
  ) {}

  async run(column: KeyedColumn): Promise<RotatedColumn> {
    const { name, action } = column;
    const report: RotatedColumn = { name, action, renewed: 0, refused: [] };
    let after: string | null = '';
    while (after !== null) after = await this.runBatch(column, after, report);
    return report;
  }

  /** Returns the last id of the batch; null when no rows remain. */
  private async runBatch(
    { name, select, update, renew }: KeyedColumn,
    after: string,
    report: RotatedColumn,
  ): Promise<string | null> {
    const batch = await this.sql.transaction(async (tx) => {
      await tx.query(ALLOW_RESEALING);
      const rows = await tx.query<KeyedRow>(select, [this.keyring.newestId, after, BATCH]);
      const refused: string[] = [];
      for (const row of rows) {
        const renewed = renew(this.keyring, row);
        if (renewed === null) refused.push(row.rowId);
        else {
          await tx.query(update, [row.rowId, renewed, row.rowValue]);
          this.fingerprints.noteChange(name.split('.')[0] ?? '', row.rowId);
        }
      }
      const renewed = rows.length - refused.length;
      if (renewed > 0) {
        const details = { column: name, rows: renewed, key: this.keyring.newestId };
        await this.audit.record({ act: 'secrets.resealed', userId: null, target: null, details });
      }
      return { ids: rows.map(({ rowId }) => rowId), refused };
    });
    report.renewed += batch.ids.length - batch.refused.length;
    report.refused.push(...batch.refused);
    return batch.ids.at(-1) ?? null;
  }
}
