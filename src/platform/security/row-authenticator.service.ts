import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { AuditLog } from '../audit/audit-log.service.js';
import { Clock } from '../runtime/clock.pure.js';
import type { Property } from '../database/entity-table.js';
import { Sql } from '../database/sql.js';
import { Meters } from '../observability/meters.pure.js';
import { AuthenticatedRows, type AuthenticatedTable, type WithMac } from './authenticated-rows.js';
import {
  AuthenticatedTableRepository,
  type Place,
  type PlacedRow,
} from './authenticated-table.repository.js';
import { Keyring } from './keyring.js';
import type { RotatedColumn } from './key-rotation.service.js';

/** Rows per transaction of a rotation, because the gateway keeps running meanwhile. */
const ROTATED = 200;
/** Rows per statement of an adoption. */
const ADOPTED = 2_000;

type Rows = AuthenticatedRows<WithMac, never>;

interface Registration {
  rows: Rows;
  prepare: () => Promise<void>;
}

/**
 * Authenticates rows under APP_KEYS. Repositories register their table, and write and check its MACs. Rows that the
 * release before wrote are authenticated once, by the first process that starts after the migration; from then on a row
 * without a MAC is refused like one that was changed.
 */
@Injectable()
export class RowAuthenticator implements OnApplicationBootstrap {
  private readonly logger = new Logger('Integrity');
  private readonly registrations: Registration[] = [];

  constructor(
    private readonly tables: AuthenticatedTableRepository,
    private readonly keyring: Keyring,
    private readonly meters: Meters,
    private readonly sql: Sql,
    private readonly clock: Clock,
    private readonly audit: AuditLog,
  ) {}

  /** Writes and checks the MACs of a table. */
  of<E extends WithMac, K extends Property<E>>(table: AuthenticatedTable<E, K>): AuthenticatedRows<E, K> {
    const rows = new AuthenticatedRows(table, this.keyring, (...failure) => this.report(...failure));
    this.meters.unauthentic.start({ table: rows.name });
    return rows;
  }

  /**
   * {@link of} for the repository of the table.
   * @param prepare fills, in the transaction that adopts earlier rows, columns that the release before did not have
   */
  register<E extends WithMac, K extends Property<E>>(
    table: AuthenticatedTable<E, K>,
    prepare: () => Promise<void> = async () => {},
  ): AuthenticatedRows<E, K> {
    const rows = this.of(table);
    this.registrations.push({ rows: rows as unknown as Rows, prepare });
    return rows;
  }

  /** Logs and counts a row that was not written by the gateway as it is, or that is missing. */
  report(table: string, key: readonly (string | null)[]): void {
    this.meters.unauthentic.add({ table });
    this.logger.error({ table, key }, 'a row was changed outside of the gateway');
  }

  async onApplicationBootstrap(): Promise<void> {
    for (const registration of this.registrations) await this.adopt(registration);
  }

  /** Makes the MACs of every registered table anew with the newest key. */
  async rotate(): Promise<RotatedColumn[]> {
    const reports: RotatedColumn[] = [];
    for (const { rows } of this.registrations) {
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

  /** All or nothing: a process that dies meanwhile leaves the table to the next one. */
  private async adopt({ rows, prepare }: Registration): Promise<void> {
    const adopted = await this.sql.transaction(async () => {
      if (!(await this.tables.lockPending(rows.name))) return 0;
      // Only a writer of the database can have reset the mark of a table with MACs.
      if (await this.tables.hasMacs(rows.table.entity)) {
        this.logger.error({ table: rows.name }, 'rows were authenticated before, and are not adopted again');
        return 0;
      }
      await prepare();
      await this.tables.allowNewMacs();
      const count = await this.adoptRows(rows);
      await this.tables.setAdopted(rows.name, this.clock.now());
      if (count > 0) {
        const details = { table: rows.name, rows: count };
        await this.audit.record({ act: 'rows.authenticated', userId: null, target: null, details });
      }
      return count;
    });
    if (adopted > 0)
      this.logger.warn({ table: rows.name, rows: adopted }, 'rows of the release before are authenticated');
  }

  private async adoptRows(rows: Rows): Promise<number> {
    let count = 0;
    let place: Place | null = null;
    for (;;) {
      const batch: PlacedRow<WithMac>[] = await this.tables.listAfter(
        rows.table,
        'without-mac',
        place,
        ADOPTED,
      );
      await this.tables.setMacs(
        rows.table,
        batch.map(({ row }) => ({ ...row, mac: rows.mac(row) })),
      );
      count += batch.length;
      const last = batch.at(-1);
      if (!last) return count;
      ({ place } = last);
    }
  }

  /** Returns the place of the batch's last row; null when none remain. */
  private async rotateBatch(rows: Rows, after: Place | null, report: RotatedColumn): Promise<Place | null> {
    const notBy = this.keyring.newestId;
    const batch = await this.sql.transaction(async () => {
      await this.tables.allowNewMacs();
      const placed = await this.tables.listAfter(rows.table, { notBy }, after, ROTATED);
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
