import { Injectable } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.service.js';
import { Keyring, UnsealError } from './keyring.js';
import { Sql } from '../database/sql.js';

/**
 * A column of sealed values. Its room writes the statements; all of them take and answer the row's id, which is
 * also what the values are sealed with, as text.
 */
export interface EncryptedColumn {
  /** `<table>.<column>`. */
  name: string;
  /** As it was given to the keyring. */
  purpose: string;
  /** Rows `{id, sealed}` in order of id that another key than $1 sealed, after id $2, at most $3; locks them. */
  select: string;
  /** Puts $2 in the place of $3 in row $1. */
  update: string;
}

/** What became of a column. */
export interface RotatedColumn {
  name: string;
  resealed: number;
  /** Ids of rows that no key of the ring opens; they stay as they are. */
  unreadable: string[];
}

/** Small enough to hold nobody up: the gateway goes on meanwhile. */
const BATCH = 100;
/** Says to guards that forbid a change of a sealed value that its plain text stays the same. */
const ANNOUNCE = `select set_config('gateway.resealing', 'on', true)`;

/**
 * Seals with the newest key what older ones have sealed, so that they can be taken out of APP_KEYS. Batch by batch,
 * each in a transaction: interrupted, it goes on where it was; running gateways that know both keys notice nothing.
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

  /** Answers the last id that it looked at; null when there are no more. */
  private async runBatch(
    { name, purpose, select, update }: EncryptedColumn,
    after: string,
    report: RotatedColumn,
  ): Promise<string | null> {
    const { ids, unreadable } = await this.sql.transaction(async (tx) => {
      await tx.query(ANNOUNCE);
      const rows = await tx.query<{ id: string; sealed: string }>(select, [
        this.keyring.newestId,
        after,
        BATCH,
      ]);
      const closed: string[] = [];
      for (const { id, sealed } of rows) {
        const plain = this.unsealOrNull(purpose, id, sealed);
        if (plain === null) closed.push(id);
        else await tx.query(update, [id, this.keyring.seal(purpose, id, plain), sealed]);
      }
      const resealed = rows.length - closed.length;
      if (resealed > 0) {
        const details = { column: name, rows: resealed, key: this.keyring.newestId };
        await this.audit.record(tx, { act: 'secrets.resealed', userId: null, target: null, details });
      }
      return { ids: rows.map(({ id }) => id), unreadable: closed };
    });
    report.resealed += ids.length - unreadable.length;
    report.unreadable.push(...unreadable);
    return ids.at(-1) ?? null;
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
