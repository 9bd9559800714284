import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import type { EncryptedColumn } from './key-rotation.service.js';

/**
 * Describes an encrypted column to the rotation of keys.
 * @param id the column that identifies a row, and whose text is the associated data
 * @param property the column of encrypted values
 * @param purpose as it is given to the keyring
 */
export function encryptedColumn<E extends object>(
  entity: EntityClass<E>,
  id: Property<E>,
  property: Property<E>,
  purpose: string,
): EncryptedColumn {
  const { name: table } = tableOf(entity);
  const key = columnOf(entity, id);
  const sealed = columnOf(entity, property).name;
  const keyText = `${key.name}::text`;
  return {
    name: `${table}.${sealed}`,
    purpose,
    // The second part of a sealed value is the id of its key (keyring.ts).
    select: `
      select ${keyText} as id, ${sealed} as sealed from ${table}
      where split_part(${sealed}, '.', 2) <> $1 and ${keyText} > $2
      order by ${keyText} limit $3 for no key update`,
    update: `update ${table} set ${sealed} = $2 where ${key.name} = $1::${key.type} and ${sealed} = $3`,
  };
}
