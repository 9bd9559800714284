import { LEAST_ROLE, type AccountRole } from '../api/operations.js';

/** From the one with the fewest rights. */
const ORDER: readonly AccountRole[] = ['viewer', 'developer', 'owner'];

/** The role that an operation takes, as the API's own document says (specification/authentication.md#members). */
export function roleFor(id: string): AccountRole {
  return (LEAST_ROLE as Partial<Record<string, AccountRole>>)[id] ?? 'viewer';
}

/** Whether the API lets somebody do it; unknown yet: not, so that nothing is offered and taken away again. */
export function isAllowed(role: AccountRole | undefined, id: string): boolean {
  return role !== undefined && ORDER.indexOf(role) >= ORDER.indexOf(roleFor(id));
}
