import type { EntityTable, TableColumn } from './entity-table.js';

/**
 * SQL of one row as a line of JSON, for exports: `fields` in their order, as properties of the entity.
 * @param alias of the table in the statement
 */
export function jsonRowOf(table: EntityTable, fields: readonly string[], alias: string): string {
  const pairs = fields.map((field) => `'${field}', ${valueOf(columnNamed(table, field), alias)}`);
  return `json_build_object(${pairs.join(', ')})::text`;
}

/** A value that JSON keeps as it is: amounts and large numbers as exact text, times in UTC, bytes in base64. */
function valueOf({ name, type }: TableColumn, alias: string): string {
  const column = `${alias}.${name}`;
  if (type === 'numeric' || type === 'bigint') return `${column}::text`;
  if (type === 'timestamptz') return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  // encode() breaks lines after 76 characters.
  if (type === 'bytea') return `translate(encode(${column}, 'base64'), E'\\n', '')`;
  // As text, a json column keeps the line ends of who wrote it.
  return type === 'json' ? `${column}::jsonb` : column;
}

/** SQL of the order of the primary key. */
export function keyOrderOf(table: EntityTable, alias: string): string {
  const key = [...table.columns.values()].filter(({ isPrimary }) => isPrimary);
  return key.map(({ name }) => `${alias}.${name}`).join(', ');
}

/** @throws Error when the property is no column of the entity */
export function columnNamed(table: EntityTable, property: string): TableColumn {
  const column = table.columns.get(property);
  if (!column) throw new Error(`${table.name}.${property} is not a column`);
  return column;
}
