import { Body, Controller, Get, Header, HttpCode, Post } from '@nestjs/common';
import { data, nothing, Operation } from '../../platform/web/contract/operation.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import { grantIdOf, type Principal } from '../../platform/kernel/principal.pure.js';
import { TwoFactorService } from '../oauth/people/two-factor.service.js';
import {
  ChangeTwoFactorContract,
  ConfirmTwoFactorContract,
  EnrolTwoFactorContract,
  presentEnrolment,
  presentTwoFactor,
  RecoveryCodesContract,
  TwoFactorContract,
  TwoFactorEnrolmentContract,
} from './two-factor.contract.js';

/**
 * The second factor of the signed-in user (specification/authentication.md#accounts). No route takes an
 * Idempotency-Key: the secret and the codes are shown once, and a stored response would keep them.
 */
@Controller('api/account/two-factor')
@OAuthOnly('account')
export class TwoFactorController {
  constructor(private readonly twoFactor: TwoFactorService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getTwoFactor',
    tag: 'Account',
    summary: 'Get the state of your second factor',
    description: 'Whether it is enabled, since when, and how many recovery codes are left.',
    returns: data(TwoFactorContract, 'The state.'),
    errors: ['user_not_found'],
  })
  async get(@CurrentPrincipal() { userId }: Principal): Promise<TwoFactorContract> {
    return presentTwoFactor(await this.twoFactor.get(userId));
  }

  @Post()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'enrolTwoFactor',
    tag: 'Account',
    summary: 'Begin with a second factor',
    description:
      'Returns a secret for an authenticator app. It takes effect once it is confirmed; another request makes a new secret.',
    returns: data(TwoFactorEnrolmentContract, 'What the authenticator app needs.'),
    errors: ['user_not_found', 'two_factor_already_enabled'],
  })
  async enrol(
    @CurrentPrincipal() { userId }: Principal,
    @Body() body: EnrolTwoFactorContract,
  ): Promise<TwoFactorEnrolmentContract> {
    return presentEnrolment(await this.twoFactor.enrol(userId, body.currentPassword));
  }

  @Post('confirm')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'confirmTwoFactor',
    tag: 'Account',
    summary: 'Confirm a second factor',
    description:
      'With a code of the app. From then on signing in takes one. Ends every other sign-in of the user. Returns ten ' +
      'recovery codes, which are shown once.',
    returns: data(RecoveryCodesContract, 'The recovery codes.'),
    errors: ['user_not_found', 'two_factor_already_enabled', 'two_factor_not_enabled'],
  })
  async confirm(
    @CurrentPrincipal() principal: Principal,
    @Body() body: ConfirmTwoFactorContract,
  ): Promise<RecoveryCodesContract> {
    return { recoveryCodes: await this.twoFactor.confirm(principal.userId, body.code, grantIdOf(principal)) };
  }

  @Post('recovery-codes')
  @HttpCode(200)
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'regenerateRecoveryCodes',
    tag: 'Account',
    summary: 'Make new recovery codes',
    description: 'The old ones become invalid.',
    returns: data(RecoveryCodesContract, 'The recovery codes.'),
    errors: ['user_not_found', 'two_factor_not_enabled'],
  })
  async regenerate(
    @CurrentPrincipal() { userId }: Principal,
    @Body() { currentPassword, code }: ChangeTwoFactorContract,
  ): Promise<RecoveryCodesContract> {
    return { recoveryCodes: await this.twoFactor.regenerate(userId, currentPassword, code) };
  }

  @Post('disable')
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'disableTwoFactor',
    tag: 'Account',
    summary: 'End a second factor',
    description:
      'With the password and a code of the app, or a recovery code. Ends every other sign-in of the user.',
    returns: nothing('Signing in takes the password alone.'),
    errors: ['user_not_found', 'two_factor_not_enabled'],
  })
  async disable(
    @CurrentPrincipal() principal: Principal,
    @Body() { currentPassword, code }: ChangeTwoFactorContract,
  ): Promise<void> {
    await this.twoFactor.disable(principal.userId, currentPassword, code, grantIdOf(principal));
  }
}
