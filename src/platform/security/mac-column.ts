import { columnsOf } from '../database/entity-sql.js';
import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import type { KeyedColumn } from './key-rotation.service.js';

/** Below every UUID that the gateway makes. */
const NIL = '00000000-0000-0000-0000-000000000000';

/**
 * Describes the MACs of a table to the rotation of keys. The table has a primary key `id` of type uuid.
 * @param property the column of MACs
 * @param purpose as it is given to the keyring
 * @param fieldsOf what a MAC covers
 */
export function macColumn<E extends object>(
  entity: EntityClass<E>,
  property: Property<E>,
  { purpose, fieldsOf }: { purpose: string; fieldsOf: (row: Pick<E, Property<E>>) => (string | null)[] },
): KeyedColumn {
  const { name: table } = tableOf(entity);
  const mac = columnOf(entity, property).name;
  const { list, toEntity } = columnsOf(entity, 't');
  return {
    name: `${table}.${mac}`,
    action: 'authenticated',
    // The second part of a MAC is the id of its key (keyring.ts). In order of the index, because a table may be large.
    select: `
      select t.id::text as "rowId", t.${mac} as "rowValue", ${list} from ${table} t
      where split_part(t.${mac}, '.', 2) <> $1 and t.id > coalesce(nullif($2, ''), '${NIL}')::uuid
      order by t.id limit $3 for no key update`,
    update: `update ${table} set ${mac} = $2 where id = $1::uuid and ${mac} = $3`,
    renew: (keyring, row) => {
      const fields = fieldsOf(toEntity(row));
      return keyring.isMacOf(purpose, fields, row.rowValue) ? keyring.mac(purpose, fields) : null;
    },
  };
}
