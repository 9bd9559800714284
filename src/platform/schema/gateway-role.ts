import type { QueryRunner } from 'typeorm';
import { GRANTS } from '../../../migrations/grants.js';
import { compareRights, type TableRight } from './table-rights.js';

/** Tables and sequences of the gateway: other programs, such as extensions, may have theirs in the schema too. */
const OURS = `relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'v', 'm', 'S')
    and relowner = (select relowner from pg_class where oid = to_regclass('migrations'))`;
/** The rights of role $1 on each of them, however it got them. */
export const RIGHTS_OF_ROLE = `
  select c.relname as "table", r.name as "right"
  from pg_class c cross join lateral (
    select name from unnest(array['select', 'insert', 'delete', 'truncate', 'references', 'trigger']) as name
    where relkind <> 'S' and has_table_privilege($1, c.oid, name)
    union all
    select format('update (%s)', attname) from pg_attribute
    where relkind <> 'S' and attrelid = c.oid and attnum > 0 and not attisdropped
      and has_column_privilege($1, c.oid, attnum, 'update')
    union all
    select name from unnest(array['usage', 'update']) as name
    where relkind = 'S' and has_sequence_privilege($1, c.oid, name)
  ) r
  where ${OURS}`;
/** All of these rights, also those of an earlier release. */
const REVOKE = `
  select format('revoke all on %s %s from public, %I', case relkind when 'S' then 'sequence' else 'table' end,
    c.oid::regclass, $1::text) as statement
  from pg_class c where ${OURS}`;
const GRANT = `
  select format('grant %s on table %I.%I to %I', rights, current_schema(), name, $1::text) as statement
  from unnest($2::text[], $3::text[]) as listed (name, rights)`;
/** Of database and schema, where they are the migrating role's own: hosted ones may belong to the host. */
const AROUND_THE_TABLES = `
  select format(statement, datname, $1::text, current_schema()) as statement
  from pg_database, unnest(array[
    'revoke create, temporary on database %1$I from public, %2$I',
    'revoke create on schema %3$I from public, %2$I',
    'grant usage on schema %3$I to %2$I'
  ]) as statement
  where datname = current_database() and pg_has_role(datdba, 'usage')
    and (has_database_privilege($1, datname, 'create, temporary') or has_schema_privilege($1, current_schema(), 'create')
      or not has_schema_privilege($1, current_schema(), 'usage'))`;

/**
 * Gives a role the rights of migrations/grants.ts, and takes all others. In one transaction, so that a running gateway
 * keeps what it needs; where nothing differs, nothing is written.
 * @throws MissingRoleError
 */
export async function grantRights(runner: QueryRunner, role: string): Promise<void> {
  const [found] = (await runner.query('select from pg_roles where rolname = $1', [role])) as object[];
  if (!found) throw new MissingRoleError(role);
  const { missing, excess } = compareRights((await runner.query(RIGHTS_OF_ROLE, [role])) as TableRight[]);
  const statements = (await runner.query(AROUND_THE_TABLES, [role])) as { statement: string }[];
  if (missing.length + excess.length > 0) {
    const rights = Object.values(GRANTS).map((more) => (more === '' ? 'select' : `select, ${more}`));
    statements.push(
      ...((await runner.query(REVOKE, [role])) as { statement: string }[]),
      ...((await runner.query(GRANT, [role, Object.keys(GRANTS), rights])) as { statement: string }[]),
    );
  }
  // Several statements in one query are one transaction.
  if (statements.length > 0) await runner.query(statements.map(({ statement }) => statement).join(';\n'));
}

/** The role to which rights are to be granted does not exist. */
export class MissingRoleError extends Error {
  readonly code = 'missing_role';

  constructor(role: string) {
    super(
      `DATABASE_URL names the database role "${role}", which does not exist. Create it before the migrations ` +
        '(docs/how-to/deployment.md#database-roles).',
    );
  }
}
