import type { AccountRole, Membership } from '../api/operations.js';
import { useRead } from '../api/use-api.js';
import type { MessageKey } from '../i18n/message-key.pure.js';
import { actingAccount } from '../session/acting-account.js';

export const ROLE_WORDS: Record<AccountRole, MessageKey> = {
  owner: 'role.owner',
  developer: 'role.developer',
  viewer: 'role.viewer',
};

/** The accounts that the user may act in, the own one first, and the one of this tab; undefined: not known yet. */
export function useAccounts(): { accounts: readonly Membership[]; acting: Membership } | undefined {
  const accounts = useRead('listMemberships', {}).data?.data;
  const id = actingAccount();
  const acting = accounts?.find(({ accountId }, index) => (id === null ? index === 0 : accountId === id));
  return accounts && acting && { accounts, acting };
}

/** Whether this tab names an account in which the user may not act any more. */
export function useIsExpelled(): boolean {
  const accounts = useRead('listMemberships', {}).data?.data;
  const id = actingAccount();
  return id !== null && accounts !== undefined && accounts.every(({ accountId }) => accountId !== id);
}
