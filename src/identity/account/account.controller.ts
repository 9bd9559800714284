import { Controller, Get, Header, HttpCode, Post, Put } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../../platform/security/auth.js';
import { Draft, DraftBody } from '../../platform/contract/read-dto.js';
import { AccountService } from '../oauth/account.service.js';
import { ChangePasswordDto, toAccountDto, UpdateAccountDto } from './account.dto.js';

/** The signed-in user's own settings (specification/authentication.md#accounts). */
@Controller('api/account')
@OAuthOnly()
export class AccountController {
  constructor(private readonly accounts: AccountService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  async get(@CurrentPrincipal() { userId }: Principal) {
    return toAccountDto(await this.accounts.get(userId));
  }

  @Put()
  @Header('Cache-Control', 'no-store')
  async update(
    @CurrentPrincipal() { userId }: Principal,
    @DraftBody(UpdateAccountDto) draft: Draft<UpdateAccountDto>,
  ) {
    return toAccountDto(await this.accounts.update(userId, draft));
  }

  /**
   * Takes no Idempotency-Key: with one, a wrong guess at the password would be counted in the transaction that
   * it fails in, and a fast hash of the body, passwords and all, would be kept. Sent again it is refused.
   */
  @Post('password')
  @HttpCode(204)
  @Header('Cache-Control', 'no-store')
  async changePassword(
    @CurrentPrincipal() principal: Principal,
    @DraftBody(ChangePasswordDto) draft: Draft<ChangePasswordDto>,
  ) {
    const grantId = principal.kind === 'oauth' ? principal.grantId : null;
    await this.accounts.changePassword(principal.userId, draft, grantId);
  }
}
