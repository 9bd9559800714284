import type { Scope } from '../platform/web/security/auth.js';

/**
 * Whether a client token with the scopes `granted` may do what needs `required`
 * (specification/authentication.md#scopes).
 */
export function covers(granted: readonly string[], required: Scope): boolean {
  return granted.includes('*') || granted.includes(required);
}
