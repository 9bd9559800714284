import { Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { Idempotent, IdempotentRequest, type Once } from '../platform/web/idempotency/idempotency.js';
import { Page, PageQuery } from '../platform/web/http/pagination.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import {
  data,
  nothing,
  Operation,
  page,
  PathParameters,
  uuidParameter,
} from '../platform/web/contract/operation.js';
import {
  ClientTokenContract,
  CreateClientTokenContract,
  EXAMPLE_TOKEN_ID,
  NewClientTokenContract,
  presentClientToken,
} from './client-tokens.contract.js';
import { ClientTokensService } from './client-tokens.service.js';

const TAG = 'Client tokens';

/**
 * The routes of client tokens (specification/authentication.md#client-tokens). There is no PUT: a token cannot be
 * changed.
 */
@Controller('api/payment-applications/:id/client-tokens')
@OAuthOnly('tokens')
@PathParameters({
  id: APPLICATION_ID,
  tokenId: uuidParameter('The record of the client token.', EXAMPLE_TOKEN_ID),
})
export class ClientTokensController {
  constructor(private readonly tokens: ClientTokensService) {}

  @Get()
  @Operation({
    id: 'listClientTokens',
    tag: TAG,
    summary: 'List client tokens',
    description:
      'The newest first, revoked and expired ones included. The tokens themselves are never shown again.',
    returns: page(ClientTokenContract, 'One page of client tokens.'),
    errors: ['payment_application_not_found'],
  })
  async list(@CurrentPrincipal() { userId }: Principal, @Param('id') id: string, @Query() query: PageQuery) {
    const { items, pagination } = await this.tokens.list(userId, id, query);
    return new Page(items.map(presentClientToken), pagination);
  }

  @Post()
  @Operation({
    id: 'createClientToken',
    tag: TAG,
    summary: 'Create a client token',
    description: 'The response contains the token; it is never shown again.',
    returns: data(NewClientTokenContract, 'The new client token.'),
    errors: ['payment_application_not_found', 'application_deleted'],
  })
  create(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(CreateClientTokenContract) draft: Draft<CreateClientTokenContract>,
  ): Promise<Once<NewClientTokenContract>> {
    return request.once(draft, async () => {
      const { clientToken, token } = await this.tokens.create(userId, id, draft);
      return Object.assign(presentClientToken(clientToken), { token });
    });
  }

  @Get(':tokenId')
  @Operation({
    id: 'getClientToken',
    tag: TAG,
    summary: 'Get the record of a client token',
    description: 'Label, scopes, expiry and last use; not the token itself.',
    returns: data(ClientTokenContract, 'The record.'),
    errors: ['payment_application_not_found'],
  })
  async get(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ) {
    return presentClientToken(await this.tokens.get(userId, id, tokenId));
  }

  @Delete(':tokenId')
  @HttpCode(204)
  @Operation({
    id: 'revokeClientToken',
    tag: TAG,
    summary: 'Revoke a client token',
    description: 'It stops working at once. Revoking again returns the same.',
    returns: nothing('The client token is revoked.'),
    errors: ['payment_application_not_found'],
  })
  async revoke(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @Param('tokenId') tokenId: string,
  ): Promise<void> {
    await this.tokens.revoke(userId, id, tokenId);
  }
}
