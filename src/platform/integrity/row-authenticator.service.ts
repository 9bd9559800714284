import { Injectable, Logger } from '@nestjs/common';
import { AuditLog } from './audit-log.service.js';
import type { Property } from '../database/entity-table.js';
import { Sql } from '../database/sql.js';
import { Meters } from '../kernel/meters.js';
import { AuthenticatedRows, type AuthenticatedTable, type WithMac } from './authenticated-rows.js';
import { AuthenticatedTableRepository, type Place } from './authenticated-table.repository.js';
import { Keyring } from '../kernel/keyring.js';
import { RowFingerprints } from './row-fingerprints.service.js';
import type { RotatedColumn } from './key-rotation.service.js';

/** Rows per transaction of a rotation, because the gateway keeps running meanwhile. */
const ROTATED = 200;

/** Rows that a process logs; it counts all, and `verify` names all. */
const MAX_LOGGED = 1_000;

type Rows = AuthenticatedRows<WithMac, never>;

/**
 * Authenticates rows under APP_KEYS. Repositories register their table, and write and check its MACs. A row without a MAC
 * is refused like one that was changed.
 */
@Injectable()
export class RowAuthenticator {
  private readonly logger = new Logger('Integrity');
  private readonly registered: Rows[] = [];
  private readonly logged = new Set<string>();

  constructor(
    private readonly tables: AuthenticatedTableRepository,
    private readonly keyring: Keyring,
    private readonly meters: Meters,
    private readonly sql: Sql,
    private readonly audit: AuditLog,
    private readonly fingerprints: RowFingerprints,
  ) {}

  /** Writes and checks the MACs of a table. */
  of<E extends WithMac, K extends Property<E>>(table: AuthenticatedTable<E, K>): AuthenticatedRows<E, K> {
    const rows = new AuthenticatedRows(table, this.keyring, (...failure) => this.report(...failure));
    this.meters.unauthentic.inc({ table: rows.name }, 0);
    return rows;
  }

  /** {@link of} for the repository of the table, whose MACs are then rotated. */
  register<E extends WithMac, K extends Property<E>>(
    table: AuthenticatedTable<E, K>,
  ): AuthenticatedRows<E, K> {
    const rows = this.of(table);
    this.registered.push(rows as unknown as Rows);
    const { entity, key, audited } = table;
    const fields = ['mac' as Property<E>];
    if (audited) this.fingerprints.register<E>({ entity, key, fields, isPurged: audited.isPurged });
    return rows;
  }

  /**
   * Counts a row that was not written by the gateway as it is, or that is missing, and logs it once: pages are polled, and
   * each block reads the rows again.
   */
  report(table: string, key: readonly (string | null)[]): void {
    this.meters.unauthentic.inc({ table });
    const row = [table, ...key].join(' ');
    if (this.logged.has(row) || this.logged.size >= MAX_LOGGED) return;
    this.logged.add(row);
    this.logger.error({ table, key }, 'a row was changed outside of the gateway');
    if (this.logged.size === MAX_LOGGED)
      this.logger.error('further rows are counted, and not logged: run verify');
  }

  /** Makes the MACs of every registered table anew with the newest key. */
  async rotate(): Promise<RotatedColumn[]> {
    const reports: RotatedColumn[] = [];
    for (const rows of this.registered) {
      const report: RotatedColumn = {
        name: `${rows.name}.mac`,
        action: 'authenticated',
        renewed: 0,
        refused: [],
      };
      let place = await this.rotateBatch(rows, null, report);
      while (place !== null) place = await this.rotateBatch(rows, place, report);
      reports.push(report);
    }
    return reports;
  }

  /** Returns the place of the batch's last row; null when none remain. */
  private async rotateBatch(rows: Rows, after: Place | null, report: RotatedColumn): Promise<Place | null> {
    const notBy = this.keyring.newestId;
    const batch = await this.sql.transaction(async () => {
      await this.tables.allowNewMacs();
      const placed = await this.tables.listAfter(rows.table, notBy, after, ROTATED);
      const authentic = placed.filter(({ row }) => rows.matches(row));
      await this.tables.setMacs(
        rows.table,
        authentic.map(({ row }) => ({ ...row, mac: rows.mac(row) })),
      );
      if (authentic.length > 0) {
        const details = { column: report.name, rows: authentic.length, key: notBy };
        await this.audit.record({ act: 'secrets.resealed', userId: null, target: null, details });
      }
      return { placed, done: authentic.length };
    });
    report.renewed += batch.done;
    report.refused.push(
      ...batch.placed.filter(({ row }) => !rows.matches(row)).map(({ place }) => place.join(' ')),
    );
    return batch.placed.at(-1)?.place ?? null;
  }
}
