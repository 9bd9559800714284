import { Controller, Delete, Get, Header, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  cursorPage,
  data,
  nothing,
  Operation,
  PathParameters,
  uuidParameter,
} from '../../platform/web/contract/operation.js';
import type { CursorPage } from '../../platform/web/http/cursor-page.js';
import { OperatorOnly, RecentOperator } from '../../platform/web/security/auth.js';
import { AccountsService } from './accounts.service.js';
import {
  AdminUserContract,
  EXAMPLE_USER_ID,
  ListUsersQuery,
  PasswordLinkContract,
} from './admin-user.contract.js';

const TAG = 'Operator';
const RECENT = 'Takes a person who signed in during the last five minutes.';

/** The users of the gateway (specification/operations.md#users). */
@Controller('api/admin/users')
@PathParameters({ userId: uuidParameter('The user.', EXAMPLE_USER_ID) })
export class AdminUsersController {
  constructor(private readonly accounts: AccountsService) {}

  @Get()
  @OperatorOnly()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'listUsers',
    tag: TAG,
    summary: 'List users',
    description: 'The newest first. Nothing about payments: those are their owners’ alone.',
    returns: cursorPage(AdminUserContract, 'The users.'),
  })
  list(@Query() query: ListUsersQuery): Promise<CursorPage<AdminUserContract>> {
    return this.accounts.list(query);
  }

  @Post(':userId/disable')
  @HttpCode(200)
  @RecentOperator()
  @Operation({
    id: 'disableUser',
    tag: TAG,
    summary: 'Disable a user',
    description:
      'Ends every sign-in, and refuses all tokens, OAuth clients and members of the account: at once where the request ' +
      `is processed, within a second in every other process. Payments go on. Not for the only operator. ${RECENT}`,
    returns: data(AdminUserContract, 'The user.'),
    errors: ['user_not_found', 'invalid_state_transition'],
  })
  disable(@Param('userId') userId: string): Promise<AdminUserContract> {
    return this.accounts.disable(userId);
  }

  @Post(':userId/enable')
  @HttpCode(200)
  @RecentOperator()
  @Operation({
    id: 'enableUser',
    tag: TAG,
    summary: 'Enable a user',
    description: `The user has to sign in again; client tokens work again. ${RECENT}`,
    returns: data(AdminUserContract, 'The user.'),
    errors: ['user_not_found', 'invalid_state_transition'],
  })
  enable(@Param('userId') userId: string): Promise<AdminUserContract> {
    return this.accounts.enable(userId);
  }

  @Delete(':userId')
  @HttpCode(204)
  @RecentOperator()
  @Operation({
    id: 'eraseUser',
    tag: TAG,
    summary: 'Erase a user',
    description:
      'Of a disabled user only, and for good: erases address, name, password, second factor, sign-ins, memberships and ' +
      'saved views, revokes the OAuth clients, and deletes the applications, whose open payments are still followed. ' +
      `Records of money and the audit log stay, with the id. ${RECENT}`,
    returns: nothing('Nothing personal is left.'),
    errors: ['user_not_found', 'invalid_state_transition'],
  })
  async erase(@Param('userId') userId: string): Promise<void> {
    await this.accounts.erase(userId);
  }

  @Post(':userId/password-link')
  @HttpCode(201)
  @RecentOperator()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'createPasswordLink',
    tag: TAG,
    summary: 'Create a password link',
    description:
      'For a user who has forgotten the password; replaces an earlier link. The new password ends every sign-in of the ' +
      `user; a second factor stays. Verify the identity of the user first. ${RECENT}`,
    returns: data(PasswordLinkContract, 'The link.'),
    errors: ['user_not_found', 'invalid_state_transition'],
  })
  createPasswordLink(@Param('userId') userId: string): Promise<PasswordLinkContract> {
    return this.accounts.createPasswordLink(userId);
  }
}
