import { Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { data, nothing, Operation, PathParameters } from '../../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly, RecentSignIn } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { OwnClientsService } from '../oauth/own-clients.service.js';
import {
  CreateOwnClientContract,
  EXAMPLE_CLIENT_ID,
  OwnClientContract,
  OwnClientSecretContract,
  presentOwnClient,
} from './own-clients.contract.js';

/**
 * OAuth clients for the user's own servers (specification/authentication.md#own-clients). No route takes an
 * Idempotency-Key: the secret is shown once, and a stored response would keep it.
 */
@Controller('api/account/oauth-clients')
@PathParameters({
  clientId: { about: 'The client.', example: EXAMPLE_CLIENT_ID, schema: { type: 'string' } },
})
export class OwnClientsController {
  constructor(private readonly clients: OwnClientsService) {}

  @Get()
  @OAuthOnly('account')
  @Operation({
    id: 'listOAuthClients',
    tag: 'Account',
    summary: 'List your OAuth clients',
    description: 'Those of your own servers, newest first, without their secrets.',
    returns: data([OwnClientContract], 'The clients.'),
  })
  async list(@CurrentPrincipal() { userId }: Principal): Promise<OwnClientContract[]> {
    return (await this.clients.list(userId)).map(presentOwnClient);
  }

  @Post()
  @RecentSignIn('account')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'createOAuthClient',
    tag: 'Account',
    summary: 'Create an OAuth client',
    description:
      'For a server of yours: it gets tokens by `client_credentials`. Takes the token of a person who signed in during the ' +
      'last five minutes, not that of a server. At most 20.',
    returns: data(OwnClientSecretContract, 'The client, with its secret.'),
  })
  async create(
    @CurrentPrincipal() principal: Principal,
    @DraftBody(CreateOwnClientContract) draft: Draft<CreateOwnClientContract>,
  ): Promise<OwnClientSecretContract> {
    const { client, secret } = await this.clients.create(principal, draft);
    return Object.assign(presentOwnClient(client), { clientSecret: secret });
  }

  @Post(':clientId/rotate-secret')
  @HttpCode(200)
  @RecentSignIn('account')
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'rotateOAuthClientSecret',
    tag: 'Account',
    summary: 'Replace the secret of an OAuth client',
    description:
      'The old secret is refused from now on; tokens that it fetched stay valid for up to an hour. Takes a recent sign-in, as ' +
      'creating one.',
    returns: data(OwnClientSecretContract, 'The client, with its new secret.'),
  })
  async rotate(
    @CurrentPrincipal() principal: Principal,
    @Param('clientId') clientId: string,
  ): Promise<OwnClientSecretContract> {
    const { client, secret } = await this.clients.rotateSecret(principal, clientId);
    return Object.assign(presentOwnClient(client), { clientSecret: secret });
  }

  @Delete(':clientId')
  @HttpCode(204)
  @OAuthOnly('account')
  @Operation({
    id: 'deleteOAuthClient',
    tag: 'Account',
    summary: 'Delete an OAuth client',
    description: 'Its secret and its tokens are refused from now on.',
    returns: nothing('It is deleted.'),
  })
  async delete(
    @CurrentPrincipal() { userId }: Principal,
    @Param('clientId') clientId: string,
  ): Promise<void> {
    await this.clients.delete(userId, clientId);
  }
}
