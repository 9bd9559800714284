import type { Sql } from '../../src/platform/database/sql.js';

/** Tables that decide where money goes. */
const TABLES = ['wallets', 'wallet_choices', 'wallet_changes', 'deposit_addresses'] as const;

/** A statement with its values. */
export type Statement = [text: string, values?: readonly unknown[]];

/**
 * A writer of the database who owns the schema and does not have APP_KEYS: no trigger and no foreign key is in the way.
 */
export class DatabaseThief {
  constructor(private readonly sql: Sql) {}

  /** Runs the statements, then `look`, and puts every row back as it was. */
  async whileTampered(statements: readonly Statement[], look: () => Promise<void>): Promise<void> {
    const saved = await Promise.all(TABLES.map((table) => this.rowsOf(table)));
    try {
      await this.tamper(statements);
      await look();
    } finally {
      await this.putBack(saved);
    }
  }

  async tamper(statements: readonly Statement[]): Promise<void> {
    await this.sql.transaction(async (tx) => {
      await tx.query('set local session_replication_role = replica');
      for (const [text, values = []] of statements) await tx.query(text, values);
    });
  }

  /** A row as it is, to be written back later, e.g. with {@link restore}. */
  async copyOf(table: (typeof TABLES)[number], id: string): Promise<object> {
    const [row] = await this.sql.query<{ row: object }>(
      `select to_jsonb(t) as row from ${table} t where id = $1`,
      [id],
    );
    if (!row) throw new Error(`no row ${id} in ${table}`);
    return row.row;
  }

  /** Writes an earlier copy of a row in the place of the row, MAC and all. */
  static restore(table: (typeof TABLES)[number], copy: object): Statement[] {
    return [
      [`delete from ${table} where id = ($1::jsonb ->> 'id')::uuid`, [JSON.stringify(copy)]],
      [
        `insert into ${table} select (jsonb_populate_record(null::${table}, $1::jsonb)).*`,
        [JSON.stringify(copy)],
      ],
    ];
  }

  private async rowsOf(table: (typeof TABLES)[number]): Promise<string[]> {
    const rows = await this.sql.query<{ row: string }>(`select to_jsonb(t)::text as row from ${table} t`);
    return rows.map(({ row }) => row);
  }

  private async putBack(saved: readonly string[][]): Promise<void> {
    await this.tamper(
      TABLES.flatMap((table, i): Statement[] => [
        [`delete from ${table} where to_jsonb(${table})::text <> all($1::text[])`, [saved[i]]],
        [
          `insert into ${table} select (jsonb_populate_record(null::${table}, saved::jsonb)).*
           from unnest($1::text[]) saved
           where not exists (select from ${table} t where to_jsonb(t)::text = saved)`,
          [saved[i]],
        ],
      ]),
    );
  }
}
