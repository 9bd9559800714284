import type { RightDifferences, TableRight } from '../../platform/schema/table-rights.js';
import { type Finding, Subject } from './finding.js';

/** What the role of DATABASE_URL may do. */
export interface RoleFacts {
  name: string;
  isSuperuser: boolean;
  /** Itself, or through a role that it is a member of. */
  ownsTables: boolean;
  /** It may set `session_replication_role`. */
  canDisableTriggers: boolean;
  /** Temporary tables, schemas, or objects in the gateway's schema. */
  canCreate: boolean;
  /** Compared with migrations/grants.ts. */
  rights: RightDifferences;
}

const ROLES = 'docs/how-to/deployment.md#database-roles';
const LISTED = 3;

export function assessRole(facts: RoleFacts): Finding[] {
  const about = new Subject('database role');
  const { name, rights } = facts;
  if (facts.isSuperuser || facts.ownsTables) {
    const what = facts.isSuperuser ? 'is a superuser' : 'owns the gateway’s tables';
    return [
      about.warning(
        `${name} ${what}: whoever has its password can switch off triggers and change recorded facts`,
        `let another role own the schema, and set DATABASE_MIGRATION_URL (${ROLES})`,
      ),
    ];
  }
  const findings: Finding[] = [];
  const migrate =
    'run the command "migrate" with DATABASE_MIGRATION_URL, which grants what is needed and no more';
  if (facts.canDisableTriggers)
    findings.push(
      about.failure(
        `${name} may set session_replication_role, which switches triggers off`,
        `revoke set on parameter session_replication_role from ${name}`,
      ),
    );
  if (rights.excess.length > 0)
    findings.push(
      about.failure(`${name} has rights that it does not need: ${listed(rights.excess)}`, migrate),
    );
  if (rights.missing.length > 0)
    findings.push(about.failure(`${name} lacks rights: ${listed(rights.missing)}`, migrate));
  if (facts.canCreate)
    findings.push(
      about.warning(
        `${name} may create temporary tables or other objects`,
        `revoke create, temporary on the database, and create on its schema, from public and ${name} (${ROLES})`,
      ),
    );
  return findings.length > 0
    ? findings
    : [about.ok(`${name} has the rights that the gateway needs, and no others`)];
}

function listed(rights: readonly TableRight[]): string {
  const first = rights.slice(0, LISTED).map(({ table, right }) => `${right} on ${table}`);
  return [...first, ...(rights.length > LISTED ? [`${rights.length - LISTED} more`] : [])].join(', ');
}
