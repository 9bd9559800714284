import { toIsoSeconds } from '../../platform/runtime/clock.pure.js';
import { IsNotBlank, IsNullableField, IsOptionalField, IsText } from '../../platform/contract/validation.js';
import type { AccountView } from '../oauth/account.service.js';

/** Longer than any good password, so that the answer to a long one is about passwords. */
export const PASSWORD_INPUT_MAX = 4_096;

/** Body of PUT /api/account: absent fields stay as they are. */
export class UpdateAccountDto {
  @IsOptionalField()
  @IsText(1, 254)
  email?: string;

  /** Null clears it. */
  @IsOptionalField()
  @IsNullableField()
  @IsText(1, 255)
  @IsNotBlank()
  name?: string | null;

  /** Needed to change the email address, not looked at otherwise. */
  @IsOptionalField()
  @IsText(1, PASSWORD_INPUT_MAX)
  currentPassword?: string;
}

/** Body of POST /api/account/password. */
export class ChangePasswordDto {
  @IsText(1, PASSWORD_INPUT_MAX)
  currentPassword: string;

  @IsText(1, PASSWORD_INPUT_MAX)
  newPassword: string;
}

/** The account as the API shows it. */
export function toAccountDto(account: AccountView) {
  return {
    id: account.id,
    email: account.email,
    name: account.name,
    isOperator: account.isOperator,
    twoFactorEnabled: account.isTwoFactorEnabled,
    createdAt: toIsoSeconds(account.createdAt),
  };
}
