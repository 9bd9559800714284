import type { Destination } from '../api/operations.js';
import type { MessageKey } from '../i18n/message-key.pure.js';

/** Whose key it is, in words. */
export const OWNERS: Record<NonNullable<Destination['owner']>, MessageKey> = {
  application: 'goes.application',
  account: 'goes.account',
  operator: 'goes.operator',
};
