import type { Queryable, Sql } from '../../src/platform/database/sql.js';

/** Tables whose rows are no user's; every other one must lead to a user, by itself or by a foreign key. */
const NO_USER: Record<string, string> = {
  audit_anchor: 'where the audit log ends, by its keyed record',
  audit_head: 'where the audit log ends',
  chain_blocks: 'what is public on a chain',
  chain_conditions: 'how the node of a chain is doing',
  chain_cursors: 'how far a chain was read',
  cursor_keys: 'the keys of cursors',
  database_sizes: 'how large the database was',
  newest_versions: 'what was asked about the newest version',
  restore_drills: 'how the last restore drill ended',
  event_feed: 'the place of the newest event',
  chain_leases: 'which process reads a chain',
  notice_outages: 'which endpoints and chains fail, by their ids',
  failed_attempts: 'counts failed sign-ins by address and account',
  migrations: 'the schema itself',
  reconciliation_progress: 'how far verify has come',
  reconciliation_schedule: 'which process verifies',
  reconciliation_state: 'what the last verify found',
  oauth_signing_keys: 'the keys of the authorization server',
  unread_traces: 'what could not be read of a block',
};
/** Where the user is not in a column `user_id`; $1 is the user's id as text. */
const OWN_WAY: Record<string, string> = {
  users: 't.id::text = $1',
  // Both sides: who may act, and whose account it is.
  account_members: '$1 in (t.user_id::text, t.account_id::text)',
  access_links: '$1 in (t.user_id::text, t.account_id::text)',
  oidc_payloads: `t.payload->>'accountId' = $1
    or t.payload->>'clientId' in (select client_id from oauth_clients where user_id::text = $1)`,
};

interface Table {
  name: string;
  hasUserId: boolean;
  /** Foreign keys of one column. */
  references: { column: string; table: string; key: string }[];
}

const TABLES = `
  select c.relname as name,
    exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'user_id') as "hasUserId",
    coalesce((
      select json_agg(json_build_object('column', own.attname, 'table', other.relname, 'key', far.attname))
      from pg_constraint f
      join pg_class other on other.oid = f.confrelid
      join pg_attribute own on own.attrelid = c.oid and own.attnum = f.conkey[1]
      join pg_attribute far on far.attrelid = f.confrelid and far.attnum = f.confkey[1]
      where f.conrelid = c.oid and f.contype = 'f' and cardinality(f.conkey) = 1
    ), '[]') as references
  from pg_class c where c.relkind = 'r' and c.relnamespace = 'public'::regnamespace
  order by c.relname`;

/** Every row of one user, in whichever table, found from the schema; an unclassified table is an error. */
export class TenantRows {
  private constructor(
    private readonly sql: Sql,
    readonly tables: readonly string[],
    private readonly statement: string,
  ) {}

  static async of(sql: Sql): Promise<TenantRows> {
    return TenantRows.classify(sql, await sql.query<Table>(TABLES, []));
  }

  private static classify(sql: Sql, tables: readonly Table[]): TenantRows {
    const byName = new Map(tables.map((table) => [table.name, table]));
    const conditionOf = ({ name, hasUserId, references }: Table): string => {
      const ownWay = OWN_WAY[name];
      if (ownWay) return ownWay;
      if (hasUserId) return 't.user_id::text = $1';
      for (const { column, table, key } of references) {
        const parent = byName.get(table);
        if (!parent || table === name || Object.hasOwn(NO_USER, table)) continue;
        return `t.${quote(column)} in (select t.${quote(key)} from ${quote(table)} t where ${conditionOf(parent)})`;
      }
      throw new Error(
        `Whose are the rows of the table "${name}"? Give it a user_id, or a foreign key to a table that has one; ` +
          'or add it in test/support/tenant-rows.ts: to OWN_WAY with how a row names its user, ' +
          'or to NO_USER with why it names none.',
      );
    };
    const owned = tables.filter(({ name }) => !Object.hasOwn(NO_USER, name));
    // The names come from the catalog of a database of our own.
    const parts = owned.map(
      (table) =>
        `select '${table.name}' as name, t::text as row from ${quote(table.name)} t where ${conditionOf(table)}`,
    );
    const names = owned.map(({ name }) => name);
    return new TenantRows(sql, names, `${parts.join(' union all ')} order by 1, 2`);
  }

  /** One text a row: the table, then every column. */
  async read(userId: string, on: Queryable = this.sql): Promise<string[]> {
    const rows = await on.query<{ name: string; row: string }>(this.statement, [userId]);
    return rows.map(({ name, row }) => `${name} ${row}`);
  }
}

function quote(identifier: string): string {
  return `"${identifier.replaceAll('"', '""')}"`;
}
