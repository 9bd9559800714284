import { accountOf, baseOf } from './account-path.pure.js';

/**
 * The account whose screens this page shows, of those that the user is a member of; null: the user's own. It stands in
 * the address, so that a link leads everybody into the same account.
 */
export function actingAccount(): string | null {
  return accountOf(location.pathname);
}

/** What stands before the path of a screen. */
export function basePath(): string {
  return baseOf(actingAccount());
}

/** Begins anew in another account: nothing of the former one stays on the page. */
export function actIn(accountId: string | null): void {
  location.assign(baseOf(accountId));
}
