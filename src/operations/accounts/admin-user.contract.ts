import { Contract, enumeration } from '../../platform/web/contract/contract.js';
import { Choice, Count, Flag, Instant, Text, Uuid } from '../../platform/web/contract/fields.js';
import { CursorQuery } from '../../platform/web/http/cursor-query.js';
import { USER_STATES, type UserAccountState } from './user-account-state.pure.js';

export const EXAMPLE_USER_ID = '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11';

const STATE = enumeration(
  'UserAccountState',
  'active: can sign in. disabled: cannot, and no token works. erased: the personal data are gone, for good. ' +
    'changed: another program changed the row, and the user is refused until `restore-user` of the command line.',
  USER_STATES,
);

/** Query of GET /api/admin/users (specification/operations.md#users). */
export class ListUsersQuery extends CursorQuery {
  @Text({
    min: 1,
    max: 254,
    optional: true,
    about: 'Only users whose email address is this one or begins with it; capitals do not matter.',
    example: 'shop@',
  })
  email?: string;
}

@Contract('AdminUser', 'A user as an operator sees it.')
export class AdminUserContract {
  @Uuid({ about: 'The user, and the account of the user.', example: EXAMPLE_USER_ID })
  id: string;

  @Text({ about: 'The address to sign in with.', example: 'shop@example.com' })
  email: string;

  @Flag({
    about:
      'Whether an operator named the address. False: its user chose it, or who invited them, so it may be of somebody else.',
    example: true,
  })
  emailVouched: boolean;

  @Choice(STATE, { about: 'Whether the user can sign in.', example: 'active' })
  state: UserAccountState;

  @Flag({ about: 'Whether the user has operator rights.', example: false })
  isOperator: boolean;

  @Flag({ about: 'Whether signing in takes a code.', example: true })
  twoFactorEnabled: boolean;

  @Count({ about: 'Payment applications that are not deleted.', example: 2 })
  applications: number;

  @Instant({ about: 'When the user was created.', example: '2026-01-15T10:00:00Z' })
  createdAt: string;

  @Instant({ nullable: true, about: 'The last sign-in; null: none yet.', example: '2026-01-15T10:04:12Z' })
  lastSignInAt: string | null;
}

@Contract('PasswordLink', 'A link by which a user sets a new password. It is shown this once.')
export class PasswordLinkContract {
  @Text({
    about: 'Give it to the user yourself. It works once.',
    example:
      'https://pay.example.com/api/oauth/access-link?token=Q9f0o2cS8mB3kXw1v5tLr7yHn4dEa6uJzPpTgKiVxYw',
  })
  url: string;

  @Instant({ about: 'An hour later.', example: '2026-01-15T11:00:00Z' })
  expiresAt: string;
}
