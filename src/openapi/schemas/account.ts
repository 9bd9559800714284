import {
  count,
  flag,
  instant,
  list,
  nullable,
  object,
  ref,
  type Schemas,
  text,
  uuid,
} from '../../platform/contract/json-schema.js';

const password = (description: string) =>
  text(description, { minLength: 1, maxLength: 4_096, writeOnly: true });
const code = (description: string) => text(description, { minLength: 1, maxLength: 64 });

export const accountSchemas: Schemas = {
  Account: object('Account', 'The signed-in user.', {
    id: uuid('The user.'),
    email: text('What they sign in with.'),
    name: nullable(text('Their name.')),
    isOperator: flag('They operate this gateway.'),
    twoFactorEnabled: flag('A second factor is asked for at sign-in.'),
    createdAt: instant('When the account was created.'),
  }),
  UpdateAccount: object(
    'UpdateAccount',
    'What to change; absent fields stay as they are.',
    {
      email: text('A new address; needs `currentPassword`.', { minLength: 1, maxLength: 254 }),
      name: nullable(text('Not only white space; null clears it.', { minLength: 1, maxLength: 255 })),
      currentPassword: password('Needed for a new email address.'),
    },
    ['email', 'name', 'currentPassword'],
  ),
  ChangePassword: object('ChangePassword', 'A new password.', {
    currentPassword: password('The present one.'),
    newPassword: password('The new one.'),
  }),
  TwoFactor: object('TwoFactor', 'The second factor of a user.', {
    enabled: flag('It is asked for at sign-in.'),
    enabledAt: nullable(instant('Since when.')),
    recoveryCodesLeft: count('Recovery codes that were not used yet.'),
  }),
  TwoFactorEnrolment: object('TwoFactorEnrolment', 'What an authenticator program needs; shown once.', {
    secret: text('To type in, in base32.'),
    uri: text('To open (`otpauth:`).'),
    qrCode: ref('QrCode'),
  }),
  RecoveryCodes: object('RecoveryCodes', 'New recovery codes; shown once.', {
    recoveryCodes: list('Each works once, instead of a code of the authenticator program.', {
      type: 'string',
    }),
  }),
  EnrolTwoFactor: object('EnrolTwoFactor', 'Proof of who asks.', {
    currentPassword: password('The password.'),
  }),
  ConfirmTwoFactor: object('ConfirmTwoFactor', 'Proof that the program was set up.', {
    code: code('Six digits; spaces are fine.'),
  }),
  ChangeTwoFactor: object('ChangeTwoFactor', 'Proof of who asks.', {
    currentPassword: password('The password.'),
    code: code('Of the authenticator program, or a recovery code.'),
  }),
};
