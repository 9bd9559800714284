import { columnsOf } from '../database/entity-sql.js';
import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import type { KeyedColumn } from './key-rotation.service.js';

/** Values below every key, by the type of its column. */
const BELOW: Readonly<Record<string, string>> = {
  uuid: '00000000-0000-0000-0000-000000000000',
  bigint: '0',
  boolean: 'false',
};

interface MacColumnOptions<E extends object> {
  /** As it is given to the keyring. */
  purpose: string;
  /** What a MAC covers. */
  fieldsOf: (row: Pick<E, Property<E>>) => (string | null)[];
  /** The columns that {@link fieldsOf} reads; all that are usually selected unless given. */
  covered?: readonly Property<E>[];
  /** The primary key; `id` unless given. */
  key?: Property<E>;
}

/**
 * Describes the MACs of a table to the rotation of keys.
 * @param property the column of MACs
 */
export function macColumn<E extends object>(
  entity: EntityClass<E>,
  property: Property<E>,
  { purpose, fieldsOf, covered, key = 'id' as Property<E> }: MacColumnOptions<E>,
): KeyedColumn {
  const { name: table } = tableOf(entity);
  const mac = columnOf(entity, property).name;
  const { name: id, type } = columnOf(entity, key);
  const { list, toEntity } = columnsOf(entity, 't', covered);
  return {
    name: `${table}.${mac}`,
    action: 'authenticated',
    // The second part of a MAC is the id of its key (keyring.ts). In order of the index, because a table may be large.
    select: `
      select t.${id}::text as "rowId", t.${mac} as "rowValue", ${list} from ${table} t
      where split_part(t.${mac}, '.', 2) <> $1 and t.${id} > coalesce(nullif($2, ''), '${BELOW[type]}')::${type}
      order by t.${id} limit $3 for no key update`,
    update: `update ${table} set ${mac} = $2 where ${id} = $1::${type} and ${mac} = $3`,
    renew: (keyring, row) => {
      const fields = fieldsOf(toEntity(row));
      return keyring.isMacOf(purpose, fields, row.rowValue) ? keyring.mac(purpose, fields) : null;
    },
  };
}
