import { Body, Controller, Get, Header, HttpCode, Post, Put } from '@nestjs/common';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { data, nothing, Operation } from '../platform/web/contract/operation.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import { NoticeChoices } from './notice-choices.service.js';
import { NoticesContract, SaveNoticesContract } from './notices.contract.js';

/** What the signed-in person is told by mail (docs/how-to/notices.md). */
@Controller('api/account/notices')
@OAuthOnly('account')
export class NoticesController {
  constructor(private readonly choices: NoticeChoices) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'getNotices',
    tag: 'Account',
    summary: 'Get what you are told by mail',
    description:
      'Nothing but what you choose, except for changes of the wallets of your account. ' +
      "404 for users of the operator's own identity provider, whose address is not known here.",
    returns: data(NoticesContract, 'What you chose; nothing before you did.'),
    errors: ['user_not_found'],
  })
  get(@CurrentPrincipal() { userId }: Principal): Promise<NoticesContract> {
    return this.choices.get(userId);
  }

  @Put()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'saveNotices',
    tag: 'Account',
    summary: 'Choose what you are told by mail',
    description: 'Replaces what you chose before. `chain` and `backup` are for operators.',
    returns: data(NoticesContract, 'What you chose.'),
    errors: ['user_not_found'],
  })
  save(
    @CurrentPrincipal() { userId }: Principal,
    @Body() wanted: SaveNoticesContract,
  ): Promise<NoticesContract> {
    return this.choices.save(userId, wanted);
  }

  @Post('test')
  @HttpCode(204)
  @Operation({
    id: 'sendTestNotice',
    tag: 'Account',
    summary: 'Send yourself a test notice',
    description: 'By mail, in your language, at most one a minute. 409 where the gateway sends no mail.',
    returns: nothing('It is on its way.'),
    errors: ['user_not_found', 'invalid_state_transition'],
  })
  async test(@CurrentPrincipal() { userId }: Principal): Promise<void> {
    await this.choices.test(userId);
  }
}
