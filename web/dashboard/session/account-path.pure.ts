const PREFIX = /^\/dashboard\/accounts\/([\w-]+)(?=\/|$)/;

/** The account that an address of the dashboard names; null: none, so it is that of whoever has signed in. */
export function accountOf(pathname: string): string | null {
  return PREFIX.exec(pathname)?.[1] ?? null;
}

/** What stands before the path of each screen of an account. */
export function baseOf(accountId: string | null): string {
  return accountId === null ? '/dashboard' : `/dashboard/accounts/${accountId}`;
}
