import { Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { Draft, DraftBody, NoParameters } from '../platform/contract/read-dto.js';
import { parseFamily, PutWalletDto, toWalletDto } from './wallets.dto.js';
import { WalletsService } from './wallets.service.js';

/**
 * A user's default wallets, for applications without a wallet of their own
 * (specification/wallets.md#default-wallets).
 */
@Controller('api/account/wallets')
@OAuthOnly()
export class AccountWalletsController {
  constructor(private readonly wallets: WalletsService) {}

  @Get()
  async list(@CurrentPrincipal() { userId }: Principal, @Query() _query: NoParameters) {
    return (await this.wallets.list(userId, null)).map(toWalletDto);
  }

  @Get(':family')
  async get(@CurrentPrincipal() { userId }: Principal, @Param('family') family: string) {
    return toWalletDto(await this.wallets.get(userId, null, parseFamily(family)));
  }

  @Put(':family')
  async put(
    @CurrentPrincipal() { userId }: Principal,
    @Param('family') segment: string,
    @DraftBody(PutWalletDto) draft: Draft<PutWalletDto>,
  ) {
    return toWalletDto(await this.wallets.put(userId, null, parseFamily(segment), draft));
  }

  @Delete(':family')
  @HttpCode(204)
  async remove(@CurrentPrincipal() { userId }: Principal, @Param('family') family: string): Promise<void> {
    await this.wallets.remove(userId, null, parseFamily(family));
  }
}
