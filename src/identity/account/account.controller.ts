import { Controller, Get, Header, HttpCode, Post, Put } from '@nestjs/common';
import { data, nothing, Operation } from '../../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import { grantIdOf, type Principal } from '../../platform/kernel/principal.pure.js';
import { AccountService } from '../oauth/people/account.service.js';
import {
  AccountContract,
  ChangePasswordContract,
  presentAccount,
  UpdateAccountContract,
} from './account.contract.js';

/** Settings of the signed-in user (specification/authentication.md#accounts). */
@Controller('api/account')
@OAuthOnly('account')
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getAccount',
    tag: 'Account',
    summary: 'Get your account',
    description:
      "The user whom the token acts for. 404 for users of the operator's own identity provider, which has their account.",
    returns: data(AccountContract, 'The account.'),
    errors: ['user_not_found'],
  })
  async get(@CurrentPrincipal() { userId }: Principal): Promise<AccountContract> {
    return presentAccount(await this.accounts.getOverview(userId));
  }

  @Put()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'updateAccount',
    tag: 'Account',
    summary: 'Update your account',
    description: 'Changes the fields that are sent. A new email address also takes `currentPassword`.',
    returns: data(AccountContract, 'The account with its changes.'),
    errors: ['user_not_found'],
  })
  async update(
    @CurrentPrincipal() { userId }: Principal,
    @DraftBody(UpdateAccountContract) draft: Draft<UpdateAccountContract>,
  ): Promise<AccountContract> {
    return presentAccount(await this.accounts.update(userId, draft));
  }

  /**
   * Takes no Idempotency-Key: with one, a fast hash of the body with both passwords would be stored. Repeating the
   * request is refused.
   */
  @Post('password')
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'changePassword',
    tag: 'Account',
    summary: 'Change your password',
    description:
      'Ends every other sign-in of the user. The sign-in of this request continues, and so do tokens of ' +
      '`client_credentials`.',
    returns: nothing('The password is changed.'),
    errors: ['user_not_found'],
  })
  async changePassword(
    @CurrentPrincipal() principal: Principal,
    @DraftBody(ChangePasswordContract) draft: Draft<ChangePasswordContract>,
  ): Promise<void> {
    await this.accounts.changePassword(principal.userId, draft, grantIdOf(principal));
  }
}
