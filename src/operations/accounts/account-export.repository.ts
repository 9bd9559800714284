import { Injectable } from '@nestjs/common';
import { type EntityTable, tableNamed, type TableColumn } from '../../platform/database/entity-table.js';
import type { Queryable } from '../../platform/database/sql.js';
import { EXPORTED_TABLES, type ExportedTable } from './exported-tables.pure.js';

// A large table is sorted before its first row. Milliseconds; until the transaction ends.
const PATIENCE = `select set_config('statement_timeout', '600000', true)`;
const FETCH = 'fetch 500 from account_rows';
const CLOSE = 'close account_rows';

/** Reads all rows of one account, of any table, as lines of JSON. */
@Injectable()
export class AccountExportRepository {
  /** By table; texts are built once, from declarations alone. */
  private readonly statements = new Map<string, string>();

  /**
   * The rows of a user in one table, in the order of its primary key, some hundred lines at a time: memory is bounded
   * however many there are.
   * @param tx a snapshot, in which no other rows of an account are being read
   */
  async *read(tx: Queryable, table: string, userId: string): AsyncGenerator<string[]> {
    await tx.query(PATIENCE);
    await tx.query(this.statementOf(table), [userId]);
    for (;;) {
      const rows = await tx.query<{ line: string }>(FETCH);
      if (rows.length === 0) break;
      yield rows.map(({ line }) => line);
    }
    await tx.query(CLOSE);
  }

  private statementOf(name: string): string {
    const known = this.statements.get(name);
    if (known) return known;
    const declared = declarationOf(name);
    const table = tableNamed(name);
    const pairs = declared.fields.map((field) => `'${field}', ${valueOf(columnOf(table, field))}`);
    const order = [...table.columns.values()].filter(({ isPrimary }) => isPrimary);
    const statement = `
      declare account_rows no scroll cursor for
      select json_build_object(${pairs.join(', ')})::text as line from ${name} t
      where ${conditionOf(table, declared, 't')} order by ${order.map((column) => `t.${column.name}`).join(', ')}`;
    this.statements.set(name, statement);
    return statement;
  }
}

/** Of the rows that belong to the user $1. */
function conditionOf(table: EntityTable, { owner }: ExportedTable, alias: string): string {
  if ('of' in owner) {
    const parent = tableNamed(owner.of);
    const above = `${alias}_${owner.of}`;
    const key = [...parent.columns.values()].find(({ isPrimary }) => isPrimary);
    if (!key) throw new Error(`${owner.of} has no primary key`);
    return `${alias}.${columnOf(table, owner.by).name} in (
      select ${above}.${key.name} from ${owner.of} ${above} where ${conditionOf(parent, declarationOf(owner.of), above)})`;
  }
  const ids = owner.map((property) => columnOf(table, property));
  return ids.map(({ name, type }) => `${alias}.${name}${type === 'text' ? '' : '::text'} = $1`).join(' or ');
}

/** A value that JSON keeps as it is: amounts and large numbers as exact text, times in UTC, bytes in base64. */
function valueOf({ name, type }: TableColumn): string {
  const column = `t.${name}`;
  if (type === 'numeric' || type === 'bigint') return `${column}::text`;
  if (type === 'timestamptz') return `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"')`;
  // encode() breaks lines after 76 characters.
  if (type === 'bytea') return `translate(encode(${column}, 'base64'), E'\\n', '')`;
  // As text, a json column keeps the line ends of who wrote it.
  return type === 'json' ? `${column}::jsonb` : column;
}

function declarationOf(name: string): ExportedTable {
  const declared = EXPORTED_TABLES[name];
  if (!declared) throw new Error(`${name} is not exported`);
  return declared;
}

function columnOf(table: EntityTable, property: string): TableColumn {
  const column = table.columns.get(property);
  if (!column) throw new Error(`${table.name}.${property} is not a column`);
  return column;
}
