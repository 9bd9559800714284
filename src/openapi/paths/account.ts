import type { Paths } from '../openapi-types.js';
import { data, operation } from '../operation.js';
import { ref } from '../../platform/contract/json-schema.js';

const tag = 'Account';
const PASSWORD = 'correct horse battery';
const URI = 'otpauth://totp/Gateway:merchant%40example.com?secret=JBSWY3DPEHPK3PXP&issuer=Gateway';
const ACCOUNT = {
  id: 'c0a8012e-7a1b-4c3d-9e5f-1a2b3c4d5e6f',
  email: 'merchant@example.com',
  name: 'Ada Merchant',
  isOperator: false,
  twoFactorEnabled: false,
  createdAt: '2026-01-15T10:00:00Z',
};
const PROOF = { schema: ref('ChangeTwoFactor'), example: { currentPassword: PASSWORD, code: '492039' } };
const CODES = { recoveryCodes: ['k3v9x-2m7q1', 'w8e5r-4t6y0'] };

export const accountPaths: Paths = {
  '/api/account': {
    get: operation({
      id: 'getAccount',
      tag,
      summary: 'Get your account',
      description:
        "The user whom the token acts for. 404 for users of the operator's own identity provider, whose account is there.",
      access: 'oauth',
      errors: ['user_not_found'],
      answers: { 200: data('The account.', ref('Account'), ACCOUNT) },
    }),
    put: operation({
      id: 'updateAccount',
      tag,
      summary: 'Update your account',
      description: 'Changes the fields that are sent. A new email address also takes `currentPassword`.',
      access: 'oauth',
      body: { schema: ref('UpdateAccount'), example: { name: 'Ada Merchant' } },
      errors: ['user_not_found'],
      answers: { 200: data('The account as it is now.', ref('Account'), ACCOUNT) },
    }),
  },
  '/api/account/password': {
    post: operation({
      id: 'changePassword',
      tag,
      summary: 'Change your password',
      description:
        'Ends every other sign-in of the user. The one that asks goes on, and so do tokens of `client_credentials`.',
      access: 'oauth',
      body: {
        schema: ref('ChangePassword'),
        example: { currentPassword: PASSWORD, newPassword: 'staple of many letters' },
      },
      errors: ['user_not_found'],
      answers: { 204: { description: 'The password is changed.' } },
    }),
  },
  '/api/account/two-factor': {
    get: operation({
      id: 'getTwoFactor',
      tag,
      summary: 'Get the state of your second factor',
      description: 'Whether it is enabled, since when, and how many recovery codes are left.',
      access: 'oauth',
      errors: ['user_not_found'],
      answers: {
        200: data('The state.', ref('TwoFactor'), { enabled: false, enabledAt: null, recoveryCodesLeft: 0 }),
      },
    }),
    post: operation({
      id: 'enrolTwoFactor',
      tag,
      summary: 'Begin with a second factor',
      description:
        'Answers a secret for an authenticator app. Nothing is in force until it is confirmed; asking again makes a new secret.',
      access: 'oauth',
      body: { schema: ref('EnrolTwoFactor'), example: { currentPassword: PASSWORD } },
      answers: {
        201: data('What the authenticator program needs.', ref('TwoFactorEnrolment'), {
          secret: 'JBSWY3DPEHPK3PXP',
          uri: URI,
          qrCode: {
            content: URI,
            format: 'image/svg+xml',
            dataUri: 'data:image/svg+xml;base64,PHN2ZyB4bWxucz0i',
          },
        }),
      },
      errors: ['user_not_found', 'two_factor_already_enabled'],
    }),
  },
  '/api/account/two-factor/confirm': {
    post: operation({
      id: 'confirmTwoFactor',
      tag,
      summary: 'Confirm a second factor',
      description:
        'With a code of the app. From then on signing in asks for one; the answer holds ten recovery codes, shown this once.',
      access: 'oauth',
      body: { schema: ref('ConfirmTwoFactor'), example: { code: '492039' } },
      answers: { 200: data('The recovery codes.', ref('RecoveryCodes'), CODES) },
      errors: ['user_not_found', 'two_factor_already_enabled', 'two_factor_not_enabled'],
    }),
  },
  '/api/account/two-factor/recovery-codes': {
    post: operation({
      id: 'regenerateRecoveryCodes',
      tag,
      summary: 'Make new recovery codes',
      description: 'The old ones end.',
      access: 'oauth',
      body: PROOF,
      answers: { 200: data('The recovery codes.', ref('RecoveryCodes'), CODES) },
      errors: ['user_not_found', 'two_factor_not_enabled'],
    }),
  },
  '/api/account/two-factor/disable': {
    post: operation({
      id: 'disableTwoFactor',
      tag,
      summary: 'End a second factor',
      description: 'With the password and a code, of the app or a recovery code.',
      access: 'oauth',
      body: PROOF,
      answers: { 204: { description: 'No second factor is asked for any more.' } },
      errors: ['user_not_found', 'two_factor_not_enabled'],
    }),
  },
};
