import {
  columnOf,
  type EntityClass,
  type Property,
  type TableColumn,
  tableOf,
} from '../database/entity-table.js';
import type { AuditAction } from '../kernel/audit-actions.pure.js';
import { noteChange } from '../database/unit-of-work.js';

/** A table of which the audit log records how each change leaves a row. */
export interface AuditedTable<E extends object> {
  entity: EntityClass<E>;
  /** The primary key. */
  key: readonly Property<E>[];
  /** What the fingerprint covers: nothing that changes without an entry in the audit log. */
  fields: readonly Property<E>[];
  /** Rows in which this one is null do not count. */
  whenSet?: Property<E>;
  /** Rows are deleted without an entry once they are worthless, so one that is missing is no difference. */
  isPurged?: true | undefined;
  /** Every row has an entry of this act, whose target it is. Of other tables, a row without an entry is older than them. */
  enteredBy?: AuditAction;
}

/** {@link AuditedTable} in SQL, of its rows as `t`. */
export interface AuditedColumns {
  table: string;
  keys: readonly TableColumn[];
  /** 64 bits of a hash of the fields. */
  fingerprint: string;
  /** Which rows count. */
  condition: string;
  isPurged: boolean;
  enteredBy: AuditAction | null;
}

export function auditedColumns<E extends object>({
  entity,
  key,
  fields,
  whenSet,
  isPurged,
  enteredBy,
}: AuditedTable<E>): AuditedColumns {
  const values = fields.map((property) => valueOf(columnOf(entity, property))).join(', ');
  return {
    table: tableOf(entity).name,
    keys: key.map((property) => columnOf(entity, property)),
    fingerprint: `left(encode(sha256(convert_to(jsonb_build_array(${values})::text, 'UTF8')), 'hex'), 16)`,
    condition: whenSet === undefined ? 'true' : `t.${columnOf(entity, whenSet).name} is not null`,
    isPurged: isPurged === true,
    enteredBy: enteredBy ?? null,
  };
}

/** Whoever writes a row calls it in the same transaction. @param key in the order of the table's key */
export function rowChanged<E extends object>({ entity }: AuditedTable<E>, ...key: readonly string[]): void {
  noteChange({ table: tableOf(entity).name, key });
}

/** As JSON, a time would depend on the session's time zone. */
function valueOf({ name, type }: TableColumn): string {
  return type === 'timestamptz' ? `(extract(epoch from t.${name}) * 1000000)::bigint` : `t.${name}`;
}
