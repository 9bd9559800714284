/** `absent`: there is no row. `unauthentic`: it was changed outside of the gateway. */
export type UserState = 'active' | 'disabled' | 'absent' | 'unauthentic';

/** Why no token of such a user is accepted; ASCII without quotes (RFC 6750, section 3). */
export const UNAUTHENTIC_USER =
  'The record of the user of this token was changed outside of the gateway; its operator has to restore it.';

/** The address of a user whose personal data were erased. Mail to `.invalid` goes nowhere (RFC 2606, section 2). */
export function erasedAddress(id: string): string {
  return `${id}@erased.invalid`;
}

/** The address of a user who had one that nobody had vouched for, and that the operator gave to its owner. */
export function freedAddress(id: string): string {
  return `${id}@unvouched.invalid`;
}

/** Whether the personal data of the user were erased; an erased user is disabled for good. */
export function isErased(user: { id: string; email: string; disabledAt: Date | null }): boolean {
  return user.disabledAt !== null && user.email === erasedAddress(user.id);
}
