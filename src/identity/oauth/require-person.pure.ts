import { RecentSignInError } from '../../platform/kernel/errors/errors.pure.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { RECENT_SECONDS } from './sign-in-level.pure.js';

/** The token of a server lasts an hour; it must not be able to make a credential that lasts. */
export function requirePerson(principal: Principal): void {
  if (principal.kind === 'oauth' && principal.signIn === null)
    throw new RecentSignInError('pwd', RECENT_SECONDS);
}
