import { columnsOf } from '../database/entity-sql.js';
import { columnOf, type EntityClass, type Property, tableOf } from '../database/entity-table.js';
import type { KeyedColumn, KeyedRow } from './key-rotation.service.js';
import { type Keyring, UnsealError } from '../kernel/keyring.js';

/** What a value is encrypted for: purpose and context, as they are given to the keyring. */
export interface SealedFor<E extends object, K extends Property<E>> {
  purpose: string;
  /** The columns that the context is made of. */
  properties: readonly K[];
  contextOf: (row: Pick<E, K>) => string;
}

/**
 * Describes an encrypted column to the rotation of keys.
 * @param id the column that identifies a row
 * @param property the column of encrypted values
 * @param sealedFor only the purpose, where the text of the id is the context
 */
export function encryptedColumn<E extends object, K extends Property<E> = never>(
  entity: EntityClass<E>,
  id: Property<E>,
  property: Property<E>,
  sealedFor: string | SealedFor<E, K>,
): KeyedColumn {
  const { name: table } = tableOf(entity);
  const key = columnOf(entity, id);
  const sealed = columnOf(entity, property).name;
  const keyText = `t.${key.name}::text`;
  const { purpose, list, contextOf } = contextReader(entity, sealedFor);
  return {
    name: `${table}.${sealed}`,
    action: 'encrypted',
    // The second part of a sealed value is the id of its key (keyring.ts).
    select: `
      select ${keyText} as "rowId", t.${sealed} as "rowValue"${list} from ${table} t
      where split_part(t.${sealed}, '.', 2) <> $1 and ${keyText} > $2
      order by ${keyText} limit $3 for no key update`,
    update: `update ${table} set ${sealed} = $2 where ${key.name} = $1::${key.type} and ${sealed} = $3`,
    renew: (keyring, row) => reseal(keyring, purpose, contextOf(row), row.rowValue),
  };
}

function contextReader<E extends object, K extends Property<E>>(
  entity: EntityClass<E>,
  sealedFor: string | SealedFor<E, K>,
): { purpose: string; list: string; contextOf: (row: KeyedRow) => string } {
  if (typeof sealedFor === 'string') return { purpose: sealedFor, list: '', contextOf: ({ rowId }) => rowId };
  const { purpose, properties, contextOf } = sealedFor;
  const { list, toEntity } = columnsOf(entity, 't', properties);
  return { purpose, list: `, ${list}`, contextOf: (row) => contextOf(toEntity(row)) };
}

function reseal(keyring: Keyring, purpose: string, context: string, sealed: string): string | null {
  try {
    return keyring.seal(purpose, context, keyring.unseal(purpose, context, sealed));
  } catch (error) {
    if (error instanceof UnsealError) return null;
    throw error;
  }
}
