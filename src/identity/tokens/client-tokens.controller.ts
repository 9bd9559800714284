import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly, type Principal } from '../../platform/security/auth.js';
import { Idempotent } from '../../platform/idempotency/idempotency.js';
import { Page, PageQuery } from '../../platform/http/pagination.js';
import { Draft, DraftBody } from '../../platform/contract/read-dto.js';
import { CreateClientTokenDto, toClientTokenDto } from './client-tokens.dto.js';
import { ClientTokensService } from './client-tokens.service.js';

/**
 * The routes of client tokens (specification/authentication.md#client-tokens). There is no PUT: a token cannot be
 * changed.
 */
@Controller('api/payment-applications/:id/client-tokens')
@OAuthOnly()
export class ClientTokensController {
  constructor(private readonly tokens: ClientTokensService) {}

  @Get()
  async list(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string, @Query() query: PageQuery) {
    const { items, pagination } = await this.tokens.list(userId, id, query);
    return new Page(items.map(toClientTokenDto), pagination);
  }

  @Post()
  @Idempotent()
  async create(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(CreateClientTokenDto) draft: Draft<CreateClientTokenDto>,
  ) {
    const { clientToken, token } = await this.tokens.create(userId, id, draft);
    return { ...toClientTokenDto(clientToken), token };
  }

  @Get(':tokenId')
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ) {
    return toClientTokenDto(await this.tokens.get(userId, id, tokenId));
  }

  @Delete(':tokenId')
  @HttpCode(204)
  async revoke(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ): Promise<void> {
    await this.tokens.revoke(userId, id, tokenId);
  }
}
