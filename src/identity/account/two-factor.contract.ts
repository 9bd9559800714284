import { Contract } from '../../platform/web/contract/contract.js';
import { Count, Flag, Instant, Nested, Text, TextList } from '../../platform/web/contract/fields.js';
import { QrCodeContract } from '../../platform/web/html/qr-code.contract.js';
import { qrCode } from '../../platform/web/html/qr-code.pure.js';
import { toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { TYPED_TOTP_PATTERN, WRONG_CODE } from '../oauth/people/recovery-codes.pure.js';
import type { Enrolment, TwoFactorState } from '../oauth/people/two-factor.service.js';
import { EXAMPLE_PASSWORD, MAX_PASSWORD_INPUT } from './account.contract.js';

/** Code points; more than any code has, with all the spaces and dashes that people type. */
const MAX_CODE_INPUT = 64;

const EXAMPLE_SECRET = 'JBSWY3DPEHPK3PXP';
const EXAMPLE_URI = `otpauth://totp/Gateway:merchant%40example.com?secret=${EXAMPLE_SECRET}&issuer=Gateway`;

/** Body of POST /api/account/two-factor. */
@Contract('EnrolTwoFactor', 'Confirms the identity of the user.')
export class EnrolTwoFactorContract {
  @Text({
    min: 1,
    max: MAX_PASSWORD_INPUT,
    writeOnly: true,
    about: 'The password.',
    example: EXAMPLE_PASSWORD,
  })
  currentPassword: string;
}

/** Body of POST /api/account/two-factor/confirm. */
@Contract('ConfirmTwoFactor', 'Proves that the authenticator app was set up.')
export class ConfirmTwoFactorContract {
  @Text({
    min: 1,
    max: MAX_CODE_INPUT,
    pattern: TYPED_TOTP_PATTERN,
    wrongForm: WRONG_CODE,
    about: 'Six digits; spaces are ignored.',
    example: '492039',
  })
  code: string;
}

/** Body of POST /api/account/two-factor/recovery-codes and of .../disable. */
@Contract('ChangeTwoFactor', 'Confirms the identity of the user.')
export class ChangeTwoFactorContract {
  @Text({
    min: 1,
    max: MAX_PASSWORD_INPUT,
    writeOnly: true,
    about: 'The password.',
    example: EXAMPLE_PASSWORD,
  })
  currentPassword: string;

  @Text({
    min: 1,
    max: MAX_CODE_INPUT,
    about: 'A code of the authenticator app, or a recovery code.',
    example: '492039',
  })
  code: string;
}

@Contract('TwoFactor', 'The second factor of a user.')
export class TwoFactorContract {
  @Flag({ about: 'Signing in takes a code.' })
  enabled: boolean;

  @Instant({ nullable: true, about: 'When it was enabled.' })
  enabledAt: string | null;

  @Count({ about: 'Unused recovery codes.', example: 0 })
  recoveryCodesLeft: number;
}

@Contract('TwoFactorEnrolment', 'What an authenticator app needs; shown once.')
export class TwoFactorEnrolmentContract {
  @Text({ about: 'The secret in base32, for typing.', example: EXAMPLE_SECRET })
  secret: string;

  @Text({ about: 'The `otpauth:` address, for opening the app.', example: EXAMPLE_URI })
  uri: string;

  @Nested(() => QrCodeContract, {
    example: {
      content: EXAMPLE_URI,
      format: 'image/svg+xml',
      dataUri: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0i',
    },
  })
  qrCode: QrCodeContract;
}

@Contract('RecoveryCodes', 'New recovery codes; shown once.')
export class RecoveryCodesContract {
  @TextList({
    about: 'Each works once, instead of a code of the authenticator app.',
    example: ['K3V9-X2M7-Q1W8-E5R4-T6Y0-9HJC', 'W8E5-R4T6-Y0K3-V9X2-M7Q1-D4NZ'],
  })
  recoveryCodes: string[];
}

export function presentTwoFactor({ enabledAt, recoveryCodesLeft }: TwoFactorState): TwoFactorContract {
  return {
    enabled: enabledAt !== null,
    enabledAt: toIsoSecondsOrNull(enabledAt),
    recoveryCodesLeft,
  };
}

export function presentEnrolment({ secret, uri }: Enrolment): TwoFactorEnrolmentContract {
  return { secret, uri, qrCode: qrCode(uri) };
}
