import { Controller, Delete, Get, HttpCode, Param, Put, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../platform/security/auth.js';
import { Draft, DraftBody, NoParameters } from '../platform/contract/read-dto.js';
import { parseFamily, PutWalletDto, toWalletDto } from './wallets.dto.js';
import { WalletsService } from './wallets.service.js';

/** The wallets of an application, which its deposit addresses are derived from (specification/wallets.md#wallets). */
@Controller('api/payment-applications/:id/wallets')
@OAuthOnly()
export class WalletsController {
  constructor(private readonly wallets: WalletsService) {}

  @Get()
  async list(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Query() _query: NoParameters,
  ) {
    return (await this.wallets.list(userId, id)).map(toWalletDto);
  }

  @Get(':family')
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
  ) {
    return toWalletDto(await this.wallets.get(userId, id, parseFamily(family)));
  }

  /** 200 for the first key as for any other: the path names the resource, and PUT says what it is. */
  @Put(':family')
  async put(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('family') segment: string,
    @DraftBody(PutWalletDto) draft: Draft<PutWalletDto>,
  ) {
    return toWalletDto(await this.wallets.put(userId, id, parseFamily(segment), draft));
  }

  @Delete(':family')
  @HttpCode(204)
  async remove(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('family') family: string,
  ): Promise<void> {
    await this.wallets.remove(userId, id, parseFamily(family));
  }
}
