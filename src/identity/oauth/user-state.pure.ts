/** `absent`: there is no row. `unauthentic`: it was changed outside of the gateway. */
export type UserState = 'active' | 'disabled' | 'absent' | 'unauthentic';

/** Why no token of such a user is accepted; ASCII without quotes (RFC 6750, section 3). */
export const UNAUTHENTIC_USER =
  'The record of the user of this token was changed outside of the gateway; its operator has to restore it.';
