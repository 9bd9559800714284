import type { WalletOwner } from './wallet.repository.js';

/** Whose key a payment is paid to: of its application, the default one of its account, or the operator's. */
export const KEY_OWNERS = ['application', 'account', 'operator'] as const;
export type KeyOwner = (typeof KEY_OWNERS)[number];

export function keyOwnerOf({ applicationId, userId }: WalletOwner): KeyOwner {
  if (applicationId !== null) return 'application';
  return userId === null ? 'operator' : 'account';
}

/** Whether money of one of these addresses goes to a key of the operator. */
export function isAnyOfOperator(addresses: readonly { wallet: WalletOwner }[]): boolean {
  return addresses.some(({ wallet }) => keyOwnerOf(wallet) === 'operator');
}
