import { Contract } from '../../platform/web/contract/contract.js';
import { Count, Flag, Instant, Text, Uuid } from '../../platform/web/contract/fields.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import { PASSWORD_MAX, PASSWORD_MIN } from '../oauth/people/password-rules.pure.js';
import type { AccountOverview } from '../oauth/people/account.service.js';
import { EMAIL_BOUNDS } from '../oauth/people/email-address.pure.js';

/** Code points; more than passwords may have, so that the error for a long one is the one about passwords. */
export const MAX_PASSWORD_INPUT = 4_096;
export const EXAMPLE_PASSWORD = 'correct horse battery';

const EXAMPLE_NAME = 'Ada Merchant';

/** Body of PUT /api/account: absent fields stay as they are (specification/authentication.md#accounts). */
@Contract('UpdateAccount', 'What to change; absent fields stay as they are.')
export class UpdateAccountContract {
  @Text({
    min: 1,
    max: 254,
    bounds: EMAIL_BOUNDS,
    optional: true,
    about: 'A new address; needs `currentPassword`.',
  })
  email?: string;

  @Text({
    min: 1,
    max: 255,
    optional: true,
    nullable: true,
    blank: false,
    about: 'Not only white space; null clears it.',
    example: EXAMPLE_NAME,
  })
  name?: string | null;

  @Text({
    min: 1,
    max: MAX_PASSWORD_INPUT,
    optional: true,
    writeOnly: true,
    about: 'Required for a new email address, otherwise ignored.',
  })
  currentPassword?: string;
}

/** Body of POST /api/account/password. */
@Contract('ChangePassword', 'A new password.')
export class ChangePasswordContract {
  @Text({
    min: 1,
    max: MAX_PASSWORD_INPUT,
    writeOnly: true,
    about: 'The current one.',
    example: EXAMPLE_PASSWORD,
  })
  currentPassword: string;

  @Text({
    min: PASSWORD_MIN,
    max: PASSWORD_MAX,
    writeOnly: true,
    about: 'The new one; not one of the most common passwords, nor made of your name or email address.',
    example: 'staple of many letters',
  })
  newPassword: string;
}

@Contract('Account', 'The signed-in user.')
export class AccountContract {
  @Uuid({ about: 'The user.', example: 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f' })
  id: string;

  @Text({ about: 'The address to sign in with.', example: 'merchant@example.com' })
  email: string;

  @Text({ nullable: true, about: 'Their name.', example: EXAMPLE_NAME })
  name: string | null;

  @Flag({ about: 'They operate this gateway.' })
  isOperator: boolean;

  @Flag({ about: 'Signing in takes a second factor.' })
  twoFactorEnabled: boolean;

  @Instant({ about: 'When the account was created.' })
  createdAt: string;

  @Count({
    about:
      'Sign-ins to this account that were refused for a wrong password or code, since the sign-in before the last one.',
    example: 0,
  })
  refusedSignIns: number;

  @Instant({ nullable: true, about: 'When the last of all refused ones was; null: there was none.' })
  lastRefusedSignInAt: string | null;
}

export function presentAccount(account: AccountOverview): AccountContract {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    isOperator: account.isOperator,
    twoFactorEnabled: account.hasSecondFactor,
    createdAt: toIsoSeconds(account.createdAt),
    refusedSignIns: account.refused.count,
    lastRefusedSignInAt: account.refused.lastAt && toIsoSeconds(account.refused.lastAt),
  };
}
