import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.service.js';
import { Keyring, UnsealError } from './keyring.js';
import { Sql } from '../database/sql.js';

/**
 * A column of encrypted values (encrypted-column.ts). Both statements take and return the row's id as text, which is
 * also the associated data of the encryption.
 */
export interface EncryptedColumn {
  /** `<table>.<column>`. */
  name: string;
  /** As it was given to the keyring. */
  purpose: string;
  /** Rows `{id, sealed}` in order of id that another key than $1 sealed, after id $2, at most $3; locks them. */
  select: string;
  /** Replaces $3 by $2 in row $1. */
  update: string;
}

/** Result of the rotation of one column. */
export interface RotatedColumn {
  name: string;
  resealed: number;
  /** Ids of rows that no key of the ring decrypts; they stay as they are. */
  unreadable: string[];
}

/** Rows per transaction; small, because the gateway keeps running meanwhile. */
const BATCH = 100;
/** Lets the triggers that forbid a change of a sealed value accept one whose plain text stays the same. */
const ALLOW_RESEALING = `select set_config('gateway.resealing', 'on', true)`;

/**
 * Re-encrypts with the newest key what older keys have encrypted, so that those can be removed from APP_KEYS. Each
 * batch is a transaction, so an interrupted run resumes where it stopped. Running gateways that have both keys are
 * unaffected.
 */
@Injectable()
export class KeyRotationService {
  constructor(
    private readonly sql: Sql,
    private readonly keyring: Keyring,
    private readonly audit: AuditLog,
  ) {}

  async run(column: EncryptedColumn): Promise<RotatedColumn> {
    const report: RotatedColumn = { name: column.name, resealed: 0, unreadable: [] };
    let after: string | null = '';
    while (after !== null) after = await this.runBatch(column, after, report);
    return report;
  }

  /** Returns the last id of the batch; null when no rows remain. */
  private async runBatch(
    { name, purpose, select, update }: EncryptedColumn,
    after: string,
    report: RotatedColumn,
  ): Promise<string | null> {
    const batch = await this.sql.transaction(async (tx) => {
      await tx.query(ALLOW_RESEALING);
      const rows = await tx.query<{ id: string; sealed: string }>(select, [
        this.keyring.newestId,
        after,
        BATCH,
      ]);
      const unreadable: string[] = [];
      for (const { id, sealed } of rows) {
        const plain = this.unsealOrNull(purpose, id, sealed);
        if (plain === null) unreadable.push(id);
        else await tx.query(update, [id, this.keyring.seal(purpose, id, plain), sealed]);
      }
      const resealed = rows.length - unreadable.length;
      if (resealed > 0) {
        const details = { column: name, rows: resealed, key: this.keyring.newestId };
        await this.audit.record({ act: 'secrets.resealed', userId: null, target: null, details });
      }
      return { ids: rows.map(({ id }) => id), unreadable };
    });
    report.resealed += batch.ids.length - batch.unreadable.length;
    report.unreadable.push(...batch.unreadable);
    return batch.ids.at(-1) ?? null;
  }

  private unsealOrNull(purpose: string, id: string, sealed: string): string | null {
    try {
      return this.keyring.unseal(purpose, id, sealed);
    } catch (error) {
      if (error instanceof UnsealError) return null;
      throw error;
    }
  }
}
