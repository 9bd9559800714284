import { RIGHTS_OF_ROLE } from '../../platform/schema/gateway-role.js';
import type { Queryable } from '../../platform/database/sql.js';
import { compareRights, type TableRight } from '../../platform/schema/table-rights.js';
import type { RoleFacts } from './role-findings.js';

const ROLE = `
  select current_user as name, rolsuper as "isSuperuser",
    pg_has_role((select relowner from pg_class where oid = 'migrations'::regclass), 'usage') as "ownsTables",
    has_parameter_privilege('session_replication_role', 'set') as "canDisableTriggers",
    has_database_privilege(current_database(), 'create, temporary')
      or has_schema_privilege(current_schema(), 'create') as "canCreate"
  from pg_roles where rolname = current_user`;

/** Reads from the catalog what the role of this connection may do. */
export async function readRoleFacts(sql: Queryable): Promise<RoleFacts> {
  const [role] = await sql.query<Omit<RoleFacts, 'rights'>>(ROLE);
  if (!role) throw new Error('unexpected empty result');
  return { ...role, rights: compareRights(await sql.query<TableRight>(RIGHTS_OF_ROLE, [role.name])) };
}
