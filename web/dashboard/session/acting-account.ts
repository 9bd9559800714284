const KEY = 'acting-account';

/** The account that this tab acts in, of those that the user is a member of; null: the user's own. */
export function actingAccount(): string | null {
  return sessionStorage.getItem(KEY);
}

/** Begins anew in another account: nothing of the former one stays on the page. */
export function actIn(accountId: string | null): void {
  if (accountId === null) sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, accountId);
  location.assign('/dashboard');
}
