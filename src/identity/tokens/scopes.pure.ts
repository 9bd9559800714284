import type { Scope } from '../../platform/security/auth.js';

/** Whether a client token with the scopes `granted` may do what needs `required` (spec.md, Scopes). */
export function covers(granted: readonly string[], required: Scope): boolean {
  return granted.includes('*') || granted.includes(required);
}
