import { Body, Controller, Delete, Get, HttpCode, Param, Put } from '@nestjs/common';
import {
  data,
  nothing,
  Operation,
  PathParameters,
  uuidParameter,
} from '../../platform/web/contract/operation.js';
import {
  CurrentPrincipal,
  InAccount,
  OAuthOnly,
  OwnerOnly,
  RecentSignIn,
} from '../../platform/web/security/auth.js';
import { actorIdOf, type Principal } from '../../platform/kernel/principal.pure.js';
import { MembersService } from '../oauth/people/members.service.js';
import {
  EXAMPLE_MEMBER_ID,
  MemberContract,
  MembershipContract,
  presentMember,
  presentMembership,
  UpdateMemberContract,
} from './members.contract.js';

const TAG = 'Members';

/** Members of an account, and the accounts of a user (specification/authentication.md#members). */
@Controller('api/account')
@PathParameters({
  userId: uuidParameter('The member.', EXAMPLE_MEMBER_ID),
  accountId: uuidParameter('The account.', EXAMPLE_MEMBER_ID),
})
export class MembersController {
  constructor(private readonly members: MembersService) {}

  @Get('members')
  @OAuthOnly('account')
  @InAccount()
  @Operation({
    id: 'listMembers',
    tag: TAG,
    summary: 'List the members of an account',
    description: 'The owner first. Of your own account, or of the one that `X-Account` names.',
    returns: data([MemberContract], 'The members.'),
    errors: ['user_not_found'],
  })
  async list(@CurrentPrincipal() { userId }: Principal): Promise<MemberContract[]> {
    return (await this.members.list(userId)).map(presentMember);
  }

  @Put('members/:userId')
  @RecentSignIn('account')
  @OwnerOnly()
  @Operation({
    id: 'updateMember',
    tag: TAG,
    summary: 'Change the role of a member',
    description:
      'For the owner. Takes effect on the next request of the member. Takes a person who signed in during the last five minutes.',
    returns: data(MemberContract, 'The member.'),
    errors: ['user_not_found'],
  })
  async update(
    @CurrentPrincipal() principal: Principal,
    @Param('userId') memberId: string,
    @Body() { role }: UpdateMemberContract,
  ): Promise<MemberContract> {
    return presentMember(await this.members.setRole(principal, memberId, role));
  }

  @Delete('members/:userId')
  @HttpCode(204)
  @OAuthOnly('account')
  @OwnerOnly()
  @Operation({
    id: 'removeMember',
    tag: TAG,
    summary: 'Remove a member',
    description:
      'For the owner. Takes effect on the next request of the member. Client tokens that they made stay.',
    returns: nothing('They are no member any more.'),
  })
  async remove(@CurrentPrincipal() { userId }: Principal, @Param('userId') memberId: string): Promise<void> {
    await this.members.remove(userId, memberId);
  }

  @Get('memberships')
  @OAuthOnly('account')
  @Operation({
    id: 'listMemberships',
    tag: TAG,
    summary: 'List the accounts in which you may act',
    description: 'Your own first. Send `accountId` of another one as the header `X-Account`.',
    returns: data([MembershipContract], 'The accounts.'),
    errors: ['user_not_found'],
  })
  async listAccounts(@CurrentPrincipal() principal: Principal): Promise<MembershipContract[]> {
    return (await this.members.listAccounts(actorIdOf(principal))).map(presentMembership);
  }

  @Delete('memberships/:accountId')
  @HttpCode(204)
  @OAuthOnly('account')
  @Operation({
    id: 'leaveAccount',
    tag: TAG,
    summary: 'Leave an account',
    description: 'You are no member of it any more.',
    returns: nothing('You have left.'),
  })
  async leave(
    @CurrentPrincipal() principal: Principal,
    @Param('accountId') accountId: string,
  ): Promise<void> {
    await this.members.remove(accountId, actorIdOf(principal));
  }
}
