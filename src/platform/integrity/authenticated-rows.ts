import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import { noteChange } from '../database/unit-of-work.js';
import type { Keyring } from '../kernel/keyring.js';
import { type FieldValue, fieldText } from './row-fields.pure.js';

/** A row whose fields are authenticated; null: no process with APP_KEYS wrote it. */
export interface WithMac {
  mac: string | null;
}

/** Which columns of a table its MAC covers. */
export interface AuthenticatedTable<E extends WithMac, K extends Property<E>> {
  entity: EntityClass<E>;
  /** The primary key, a part of {@link fields}. */
  key: readonly K[];
  /** Everything that a right depends on. The order is part of the MAC: new ones come last, with a migration. */
  fields: readonly K[];
  /**
   * The audit log records how each change leaves a row; `deletions`: only that it was deleted. `isPurged` as in
   * AuditedTable.
   */
  audited?: { changes: 'all' | 'deletions'; isPurged?: true };
}

/**
 * The rows of one table under a MAC of APP_KEYS: whoever can write to the database, but does not have the keys, can
 * neither make nor change one unnoticed (docs/decisions/0023-authenticate-where-money-goes.md#authenticate-the-rows-of-users-clients-and-tokens).
 */
export class AuthenticatedRows<E extends WithMac, K extends Property<E>> {
  readonly name: string;
  private readonly purpose: string;
  private readonly uuids: ReadonlySet<K>;

  constructor(
    readonly table: AuthenticatedTable<E, K>,
    private readonly keyring: Keyring,
    private readonly report: (table: string, key: readonly (string | null)[]) => void,
  ) {
    this.name = tableOf(table.entity).name;
    this.purpose = `row of ${this.name}`;
    this.uuids = new Set(table.fields.filter((property) => columnOf(table.entity, property).type === 'uuid'));
  }

  /** For a row that is about to be written. @param changes values that it is about to get */
  mac(row: Pick<E, K>, changes: Partial<Pick<E, K>> = {}): string {
    if (this.table.audited?.changes === 'all') this.changed(row);
    return this.macOf(row, changes);
  }

  /** {@link mac} for a statement that may write nothing; once it has written, call {@link changed}. */
  macOf(row: Pick<E, K>, changes: Partial<Pick<E, K>> = {}): string {
    const texts = this.table.fields.map((property) => {
      const changed = changes[property];
      return this.textOf(property, changed === undefined ? row[property] : changed);
    });
    return this.keyring.mac(this.purpose, texts);
  }

  /** For a row that was deleted, or written with {@link macOf}, in the same transaction. */
  changed(row: Pick<E, K>): void {
    const key = this.textsOf(row, this.table.key).map((text) => text ?? '');
    noteChange({ table: this.name, key });
  }

  /** Whether the gateway wrote the row as it is. */
  matches(row: Pick<E, K> & WithMac): boolean {
    return this.keyring.isMacOf(this.purpose, this.textsOf(row, this.table.fields), row.mac);
  }

  /** {@link matches}; a row that does not is reported. */
  isAuthentic(row: Pick<E, K> & WithMac): boolean {
    if (this.matches(row)) return true;
    this.report(this.name, this.textsOf(row, this.table.key));
    return false;
  }

  /** The row if it is authentic; otherwise it is reported, and null. */
  authentic<R extends Pick<E, K> & WithMac>(row: R | null | undefined): R | null {
    return row && this.isAuthentic(row) ? row : null;
  }

  /** Reports a row that must be there, and is not. */
  reportMissing(...key: readonly string[]): void {
    this.report(this.name, key);
  }

  /** The rows that are not authentic; they are reported. */
  unauthentic<R extends Pick<E, K> & WithMac>(rows: readonly R[]): R[] {
    return rows.filter((row) => !this.isAuthentic(row));
  }

  private textsOf(row: Pick<E, K>, properties: readonly K[]): (string | null)[] {
    return properties.map((property) => this.textOf(property, row[property]));
  }

  /** A client may write a UUID in capitals; Postgres returns small letters. */
  private textOf(property: K, value: unknown): string | null {
    const text = fieldText(value as FieldValue);
    return this.uuids.has(property) ? (text?.toLowerCase() ?? null) : text;
  }
}
