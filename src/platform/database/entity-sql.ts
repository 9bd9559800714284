import type { Statement } from './by-ids.pure.js';
import { columnOf, type EntityClass, type Property, type TableColumn, tableOf } from './entity-table.js';

/*
 * SQL text and its values, derived from the columns of an entity, so that no statement has to repeat columns, types and
 * values. Texts are built once, where a repository declares them, so that they stay static and
 * prepared (sql.ts). Identifiers come from decorators, never from input.
 */

/** A select list, and the reader of its rows. */
export interface SelectedColumns<E extends object, K extends Property<E>> {
  /** E.g. `p.id, p.user_id as "userId"`. */
  list: string;
  /** The row's columns of this list as the entity has them; further values of the row are left out. */
  toEntity: (row: object) => Pick<E, K>;
}

/**
 * The columns of a table for a select list, all but those with `select: false` unless they are named.
 * @param alias of the table in the statement
 * @param prefix of the names in the row, where the statement selects columns of several tables
 */
export function columnsOf<E extends object, K extends Property<E> = Property<E>>(
  entity: EntityClass<E>,
  alias: string,
  properties?: readonly K[],
  prefix = '',
): SelectedColumns<E, K> {
  const columns = properties
    ? properties.map((property) => columnOf(entity, property))
    : [...tableOf(entity).columns.values()].filter(({ isSelected }) => isSelected);
  const readers = columns.map(({ property, transformer }) => ({
    property,
    label: `${prefix}${property}`,
    read: transformer?.from ?? null,
  }));
  // Copying an object with all keys, instead of adding them one by one, gives all rows the same hidden class.
  const blank = Object.fromEntries(columns.map(({ property }) => [property, null]));
  return {
    list: columns
      .map(({ name, property }) =>
        name === `${prefix}${property}` ? `${alias}.${name}` : `${alias}.${name} as "${prefix}${property}"`,
      )
      .join(', '),
    toEntity: (row) => {
      const values = row as Record<string, unknown>;
      const result: Record<string, unknown> = { ...blank };
      for (const { property, label, read } of readers)
        result[property] = read ? (read(values[label]) as unknown) : values[label];
      return result as Pick<E, K>;
    },
  };
}

/** Types whose value is the same in JSON as from the driver. */
const SAME_IN_JSON = new Set(['uuid', 'text', 'boolean', 'integer', 'jsonb']);

/**
 * Columns of a joined table as one object of the row, e.g. `json_build_object('id', s.id, 'userId', s.user_id)`.
 * @throws Error for a column whose value JSON would change, such as a time or an amount
 */
export function jsonOf<E extends object>(
  entity: EntityClass<E>,
  alias: string,
  properties: readonly Property<E>[],
): string {
  const pairs = properties.map((property) => {
    const { name, type, transformer } = columnOf(entity, property);
    if (transformer || !SAME_IN_JSON.has(type))
      throw new Error(`${entity.name}.${property} would change in JSON`);
    return `'${property}', ${alias}.${name}`;
  });
  return `json_build_object(${pairs.join(', ')})`;
}

/** A list of rows as a table expression: one array parameter per column. */
export interface RowSource<Row extends object> {
  /** `unnest($1::uuid[], $2::text[]) as row (id, label)`. */
  from: string;
  /** Its columns, to select from it: `row.id, row.scopes::text[]`. */
  select: string;
  /** The same columns as the table names them: `id, scopes`. */
  columns: string;
  /** One array per column, in the order of the parameters. */
  values: (rows: readonly Row[]) => unknown[][];
}

export interface RowSourceOptions {
  /** Number of parameters of the statement that come before those of the rows; 0 unless given. */
  after?: number;
  /** Alias of the rows; `row` unless given. */
  as?: string;
  /** Whether the source has a further column `at`, the number of the row: 1, 2 … */
  isNumbered?: boolean;
  /**
   * Whether the planner is not to see how many rows there are. It then plans the statement once; otherwise it does so
   * for each call, because a plan for the one row of this call seems cheaper than one for ten. For statements that are
   * sent with few rows and read no large table.
   */
  isPlannedOnce?: boolean;
}

/** Rows with some columns of an entity, for statements that join or insert many of them at once. */
export function rowsOf<E extends object, K extends Property<E>>(
  entity: EntityClass<E>,
  properties: readonly K[],
  options: RowSourceOptions = {},
): RowSource<Pick<E, K>> {
  return sourceOf(
    properties.map((property) => fieldOf(entity, property)),
    options,
  );
}

export interface BulkStatement<Row extends object> {
  text: string;
  values: (rows: readonly Row[]) => unknown[][];
}

/**
 * Inserts any number of rows in one statement.
 * @param properties the columns that the rows have; the others get their defaults
 * @param suffix e.g. `on conflict (id) do nothing`
 */
export function bulkInsert<E extends object, K extends Property<E>>(
  entity: EntityClass<E>,
  properties: readonly K[],
  suffix = '',
): BulkStatement<Pick<E, K>> {
  const { columns, select, from, values } = rowsOf(entity, properties);
  const text = `insert into ${tableOf(entity).name} (${columns}) select ${select} from ${from} ${suffix}`;
  return { text: text.trim(), values };
}

/** @typeParam G columns that must still hold what was read before */
export type UpdatedRow<E extends object, K extends Property<E>, G extends Property<E>> = Pick<E, K> & {
  expected: Pick<E, G>;
};

/**
 * Updates any number of rows in one statement and returns their keys. A row appears at most once in the list: an
 * UPDATE changes a row only once. A single row has a text of its own, which Postgres plans once ({@link byIds}).
 * @param expected columns that must still hold the values of `expected` (an optimistic lock); rows that do not are
 *   left out, and so are their keys
 */
export function bulkUpdate<
  E extends object,
  Key extends Property<E>,
  Set extends Property<E>,
  Expected extends Property<E> = never,
>(
  entity: EntityClass<E>,
  { key, set, expected = [] }: { key: readonly Key[]; set: readonly Set[]; expected?: readonly Expected[] },
): (rows: readonly UpdatedRow<E, Key | Set, Expected>[]) => Statement {
  const keys = key.map((property) => fieldOf(entity, property));
  const changes = set.map((property) => fieldOf(entity, property));
  const guards = expected.map((property) => expectedFieldOf(entity, property));
  const fields = [...keys, ...changes, ...guards];
  const sets = changes.map((field) => `${field.column.name} = ${valueIn('row', field)}`);
  const conditions = [...keys, ...guards].map((field) => `t.${field.column.name} = ${valueIn('row', field)}`);
  const textFor = (from: string) => `
    update ${tableOf(entity).name} t set ${sets.join(', ')} from ${from}
    where ${conditions.join(' and ')} returning ${keys.map(({ name }) => `t.${name}`).join(', ')}`;
  const [one, many] = [oneRowOf(fields), sourceOf<object>(fields)];
  const [oneText, manyText] = [textFor(one.from), textFor(many.from)];
  return (rows) => {
    const [first] = rows;
    return first && rows.length === 1 ? [oneText, one.values(first)] : [manyText, many.values(rows)];
  };
}

/** A single row as a table expression, with one parameter per column. */
function oneRowOf(fields: readonly Field[]): { from: string; values: (row: object) => unknown[] } {
  const columns = fields.map(({ name, column }, i) => `$${i + 1}::${boundType(column)} as ${name}`);
  return {
    from: `(select ${columns.join(', ')}) as row`,
    values: (row) => fields.map(({ column, valueOf }) => bind(column, valueOf(row))),
  };
}

/** A column of a row source: its name there, and where its value is in a row. */
interface Field {
  column: TableColumn;
  name: string;
  valueOf: (row: object) => unknown;
}

function fieldOf<E extends object>(entity: EntityClass<E>, property: Property<E>): Field {
  const column = columnOf(entity, property);
  return { column, name: column.name, valueOf: (row) => (row as Record<string, unknown>)[property] };
}

function expectedFieldOf<E extends object>(entity: EntityClass<E>, property: Property<E>): Field {
  const column = columnOf(entity, property);
  return {
    column,
    name: `expected_${column.name}`,
    valueOf: (row) => (row as { expected: Record<string, unknown> }).expected[property],
  };
}

function sourceOf<Row extends object>(
  fields: readonly Field[],
  { after = 0, as = 'row', isNumbered = false, isPlannedOnce = false }: RowSourceOptions = {},
): RowSource<Row> {
  const names = fields.map(({ name }) => name).join(', ');
  const arrays = fields.map(({ column }, i) => {
    const array = `$${after + i + 1}::${boundType(column)}[]`;
    return isPlannedOnce && i === 0 ? `(select ${array})` : array;
  });
  const alias = isNumbered ? `with ordinality as ${as} (${names}, at)` : `as ${as} (${names})`;
  return {
    from: `unnest(${arrays.join(', ')}) ${alias}`,
    select: fields.map((field) => valueIn(as, field)).join(', '),
    columns: names,
    values: (rows) => fields.map(({ column, valueOf }) => rows.map((row) => bind(column, valueOf(row)))),
  };
}

/** unnest() takes no arrays of different lengths as elements: they are bound as array literals, one text per row. */
function boundType({ type, isArray }: TableColumn): string {
  return isArray ? 'text' : type;
}

function valueIn(alias: string, { name, column: { type, isArray } }: Field): string {
  return `${alias}.${name}${isArray ? `::${type}[]` : ''}`;
}

/** The driver would write an array in a JSON column as an SQL array, and a string without its quotes. */
function bind({ type, isArray, transformer }: TableColumn, value: unknown): unknown {
  const stored: unknown = transformer ? transformer.to(value) : value;
  if (stored === null || stored === undefined) return null;
  if (isArray) return arrayLiteral(stored as readonly ArrayElement[]);
  return type === 'jsonb' || type === 'json' ? JSON.stringify(stored) : stored;
}

type ArrayElement = string | number | bigint | boolean | null;

/** PostgreSQL's text form of a one-dimensional array. */
function arrayLiteral(items: readonly ArrayElement[]): string {
  const elements = items.map((item) =>
    item === null ? 'NULL' : `"${String(item).replace(/[\\"]/g, '\\$&')}"`,
  );
  return `{${elements.join()}}`;
}
