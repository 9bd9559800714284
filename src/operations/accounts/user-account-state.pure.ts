import { isErased } from '../../identity/oauth/people/user-state.pure.js';

export const USER_STATES = ['active', 'disabled', 'erased', 'changed'] as const;
export type UserAccountState = (typeof USER_STATES)[number];

interface StoredState {
  id: string;
  email: string;
  disabledAt: Date | null;
  isAuthentic: boolean;
}

/** A row that another program changed says nothing reliable about the user. */
export function accountStateOf(user: StoredState): UserAccountState {
  if (!user.isAuthentic) return 'changed';
  if (isErased(user)) return 'erased';
  return user.disabledAt === null ? 'active' : 'disabled';
}
