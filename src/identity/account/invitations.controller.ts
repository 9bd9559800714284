import { Body, Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import {
  data,
  nothing,
  Operation,
  PathParameters,
  uuidParameter,
} from '../../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly, OwnerOnly, RecentSignIn } from '../../platform/web/security/auth.js';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { InvitationsService } from '../oauth/people/invitations.service.js';
import { MembersService } from '../oauth/people/members.service.js';
import {
  AcceptInvitationContract,
  CreateInvitationContract,
  EXAMPLE_MEMBER_ID,
  InvitationContract,
  MembershipContract,
  NewInvitationContract,
  presentInvitation,
  presentMembership,
} from './members.contract.js';

const TAG = 'Members';

/**
 * Invitations to an account (specification/authentication.md#members). No route takes an Idempotency-Key: the link is
 * shown once, and a stored response would keep it.
 */
@Controller('api/account/invitations')
@PathParameters({ invitationId: uuidParameter('The invitation.', EXAMPLE_MEMBER_ID) })
export class InvitationsController {
  constructor(
    private readonly invitations: InvitationsService,
    private readonly members: MembersService,
  ) {}

  @Get()
  @OAuthOnly('account')
  @OwnerOnly()
  @Operation({
    id: 'listInvitations',
    tag: TAG,
    summary: 'List open invitations',
    description:
      'For the owner. Those that were neither used nor withdrawn and have not expired, newest first.',
    returns: data([InvitationContract], 'The invitations.'),
  })
  async list(@CurrentPrincipal() { userId }: Principal): Promise<InvitationContract[]> {
    return (await this.invitations.list(userId)).map(presentInvitation);
  }

  @Post()
  @RecentSignIn('account')
  @OwnerOnly()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'createInvitation',
    tag: TAG,
    summary: 'Invite someone',
    description:
      'For the owner. Replaces an open invitation of the same address. Takes a person who signed in during the last five ' +
      'minutes. An account has at most 50 members and open invitations.',
    returns: data(NewInvitationContract, 'The invitation, with its link.'),
    errors: ['user_not_found'],
  })
  async create(
    @CurrentPrincipal() principal: Principal,
    @DraftBody(CreateInvitationContract) draft: Draft<CreateInvitationContract>,
  ): Promise<NewInvitationContract> {
    const { invitation, url } = await this.invitations.create(principal, draft);
    return Object.assign(presentInvitation(invitation), { url });
  }

  @Delete(':invitationId')
  @HttpCode(204)
  @OAuthOnly('account')
  @OwnerOnly()
  @Operation({
    id: 'withdrawInvitation',
    tag: TAG,
    summary: 'Withdraw an invitation',
    description: 'For the owner. Its link does not work any more.',
    returns: nothing('It is withdrawn.'),
  })
  async withdraw(
    @CurrentPrincipal() { userId }: Principal,
    @Param('invitationId') id: string,
  ): Promise<void> {
    await this.invitations.withdraw(userId, id);
  }

  @Post('accept')
  @HttpCode(200)
  @OAuthOnly('account')
  @Operation({
    id: 'acceptInvitation',
    tag: TAG,
    summary: 'Accept an invitation',
    description:
      'For the user of the invited address, and not for a program with its own token. Whoever has no user yet opens the link ' +
      'in a browser instead.',
    returns: data(MembershipContract, 'The account in which you may act now.'),
    errors: ['user_not_found', 'recent_sign_in_required'],
  })
  async accept(
    @CurrentPrincipal() principal: Principal,
    @Body() { token }: AcceptInvitationContract,
  ): Promise<MembershipContract> {
    const accountId = await this.invitations.accept(principal, token);
    return presentMembership(await this.members.getMembership(principal.userId, accountId));
  }
}
