import { Injectable } from '@nestjs/common';
import { type EntityTable, tableNamed } from '../../platform/database/entity-table.js';
import { columnNamed, jsonRowOf, keyOrderOf } from '../../platform/database/json-row.js';
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
    const statement = `
      declare account_rows no scroll cursor for
      select ${jsonRowOf(table, declared.fields, 't')} as line from ${name} t
      where ${conditionOf(table, declared, 't')} order by ${keyOrderOf(table, 't')}`;
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
    return `${alias}.${columnNamed(table, owner.by).name} in (
      select ${above}.${key.name} from ${owner.of} ${above} where ${conditionOf(parent, declarationOf(owner.of), above)})`;
  }
  const ids = owner.map((property) => columnNamed(table, property));
  return ids.map(({ name, type }) => `${alias}.${name}${type === 'text' ? '' : '::text'} = $1`).join(' or ');
}

function declarationOf(name: string): ExportedTable {
  const declared = EXPORTED_TABLES[name];
  if (!declared) throw new Error(`${name} is not exported`);
  return declared;
}
