import { toIsoSecondsOrNull } from '../../platform/runtime/clock.pure.js';
import { qrCode } from '../../platform/html/qr-code.pure.js';
import { IsText } from '../../platform/contract/validation.js';
import type { Enrolment, TwoFactorState } from '../oauth/two-factor.service.js';
import { PASSWORD_INPUT_MAX } from './account.dto.js';

/** More than any code has with all the spaces and dashes that people type. */
const CODE_INPUT_MAX = 64;

/** Body of POST /api/account/two-factor. */
export class EnrolTwoFactorDto {
  @IsText(1, PASSWORD_INPUT_MAX)
  currentPassword: string;
}

/** Body of POST /api/account/two-factor/confirm. */
export class ConfirmTwoFactorDto {
  /** Six digits, spaces allowed. */
  @IsText(1, CODE_INPUT_MAX)
  code: string;
}

/** Body of POST /api/account/two-factor/recovery-codes and of .../disable. */
export class ChangeTwoFactorDto {
  @IsText(1, PASSWORD_INPUT_MAX)
  currentPassword: string;

  /** Of the authenticator program, or a recovery code. */
  @IsText(1, CODE_INPUT_MAX)
  code: string;
}

/** The state as the API shows it. */
export function toTwoFactorDto({ enabledAt, recoveryCodesLeft }: TwoFactorState) {
  return {
    enabled: enabledAt !== null,
    enabledAt: toIsoSecondsOrNull(enabledAt),
    recoveryCodesLeft,
  };
}

/** What is scanned or typed into the authenticator program. */
export function toEnrolmentDto({ secret, uri }: Enrolment) {
  return { secret, uri, qrCode: qrCode(uri) };
}
