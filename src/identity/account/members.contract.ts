import { Contract, enumeration } from '../../platform/web/contract/contract.js';
import { Choice, Instant, Text, Uuid } from '../../platform/web/contract/fields.js';
import { toIsoSeconds } from '../../platform/kernel/clock.pure.js';
import {
  ACCOUNT_ROLES,
  type AccountRole,
  INVITED_ROLES,
  type InvitedRole,
} from '../../platform/kernel/account-roles.pure.js';
import type { Invitation } from '../oauth/people/invitations.service.js';
import type { Member, Membership } from '../oauth/people/members.service.js';
import { EMAIL_BOUNDS } from '../oauth/people/email-address.pure.js';

const EMAIL = 'colleague@example.com';
export const EXAMPLE_MEMBER_ID = '019a1c2e-5b7d-7c3a-9e41-2f6d8b0a4c11';
const ROLE = enumeration('AccountRole', 'What someone may do in an account.', ACCOUNT_ROLES);
const INVITED_ROLE = enumeration('InvitedRole', 'What a member may do in an account.', INVITED_ROLES);

@Contract('Member', 'Someone with rights in an account.')
export class MemberContract {
  @Uuid({ about: 'The user.', example: EXAMPLE_MEMBER_ID })
  userId: string;

  @Text({ about: 'Their email address.', example: EMAIL })
  email: string;

  @Text({ nullable: true, about: 'Their display name.', example: null })
  name: string | null;

  @Choice(ROLE, { about: 'The owner comes first; there is exactly one.', example: 'developer' })
  role: AccountRole;

  @Instant({ about: 'Since when; of the owner, when the account was created.' })
  createdAt: string;
}

@Contract('Membership', 'An account in which you may act.')
export class MembershipContract {
  @Uuid({ about: 'What you send as `X-Account`.', example: EXAMPLE_MEMBER_ID })
  accountId: string;

  @Text({ about: 'The email address of its owner.', example: EMAIL })
  email: string;

  @Text({ nullable: true, about: 'The display name of its owner.', example: null })
  name: string | null;

  @Choice(ROLE, { about: 'What you may do there.', example: 'developer' })
  role: AccountRole;

  @Instant({ about: 'Since when; of your own, when it was created.' })
  createdAt: string;
}

/** Body of PUT /api/account/members/{userId}. */
@Contract('UpdateMember', 'The new role.')
export class UpdateMemberContract {
  @Choice(INVITED_ROLE, { about: 'What the member may do.', example: 'viewer' })
  role: InvitedRole;
}

/** Body of POST /api/account/invitations. */
@Contract('CreateInvitation', 'Whom to invite.')
export class CreateInvitationContract {
  @Text({
    min: 1,
    max: 254,
    bounds: EMAIL_BOUNDS,
    about: 'Only the user of this address can accept.',
    example: EMAIL,
  })
  email: string;

  @Choice(INVITED_ROLE, { about: 'What they may do.', example: 'developer' })
  role: InvitedRole;
}

@Contract('Invitation', 'An invitation that can still be accepted.')
export class InvitationContract {
  @Uuid({ about: 'Its id.', example: EXAMPLE_MEMBER_ID })
  id: string;

  @Text({ about: 'For whom.', example: EMAIL })
  email: string;

  @Choice(INVITED_ROLE, { about: 'What they may do.', example: 'developer' })
  role: InvitedRole;

  @Instant({ about: 'When it was created.' })
  createdAt: string;

  @Instant({ about: 'Seven days later.' })
  expiresAt: string;
}

@Contract('NewInvitation', 'An invitation with its link, which is shown this once.')
export class NewInvitationContract extends InvitationContract {
  @Text({
    about:
      'Where the gateway sends mail, the invited person gets it; else give it to them yourself. It works once.',
    example:
      'https://pay.example.com/api/oauth/access-link?token=Q9f0o2cS8mB3kXw1v5tLr7yHn4dEa6uJzPpTgKiVxYw',
  })
  url: string;
}

/** Body of POST /api/account/invitations/accept. */
@Contract('AcceptInvitation', 'The invitation.')
export class AcceptInvitationContract {
  @Text({
    min: 1,
    max: 255,
    about: '`token` of its link.',
    example: 'Q9f0o2cS8mB3kXw1v5tLr7yHn4dEa6uJzPpTgKiVxYw',
  })
  token: string;
}

export function presentMember({ userId, email, name, role, createdAt }: Member): MemberContract {
  return { userId, email, name, role, createdAt: toIsoSeconds(createdAt) };
}

export function presentMembership({
  accountId,
  email,
  name,
  role,
  createdAt,
}: Membership): MembershipContract {
  return { accountId, email, name, role, createdAt: toIsoSeconds(createdAt) };
}

export function presentInvitation({ id, email, role, createdAt, expiresAt }: Invitation): InvitationContract {
  return { id, email, role, createdAt: toIsoSeconds(createdAt), expiresAt: toIsoSeconds(expiresAt) };
}
