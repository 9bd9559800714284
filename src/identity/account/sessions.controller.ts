import { Controller, Delete, Get, Header, HttpCode, Param, Post } from '@nestjs/common';
import { data, nothing, Operation, PathParameters } from '../../platform/web/contract/operation.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import { grantIdOf, type Principal } from '../../platform/kernel/principal.pure.js';
import { SessionsService } from '../oauth/sessions.service.js';
import {
  EndedSessionsContract,
  EXAMPLE_SESSION_ID,
  presentSession,
  SessionContract,
} from './sessions.contract.js';

/** The programs that the user has signed in to (specification/authentication.md#sessions). */
@Controller('api/account/sessions')
@OAuthOnly('account')
@PathParameters({
  sessionId: { about: 'The session.', example: EXAMPLE_SESSION_ID, schema: { type: 'string' } },
})
export class SessionsController {
  constructor(private readonly sessions: SessionsService) {}

  @Get()
  @Header('Cache-Control', 'no-store')
  @Operation({
    id: 'listSessions',
    tag: 'Account',
    summary: 'List your sessions',
    description:
      'The programs that you have signed in to and that may still act for you, newest sign-in first. Your own servers ' +
      '(`client_credentials`) have none.',
    returns: data([SessionContract], 'The sessions.'),
  })
  async list(@CurrentPrincipal() principal: Principal): Promise<SessionContract[]> {
    const found = await this.sessions.list(principal.userId);
    return found.map((session) => presentSession(session, grantIdOf(principal)));
  }

  @Delete(':sessionId')
  @HttpCode(204)
  @Operation({
    id: 'endSession',
    tag: 'Account',
    summary: 'End a session',
    description:
      'Its tokens are invalid at once, and the browser that it was opened in is signed out. It may be your own.',
    returns: nothing('It has ended.'),
  })
  async end(@CurrentPrincipal() { userId }: Principal, @Param('sessionId') sessionId: string): Promise<void> {
    await this.sessions.end(userId, sessionId);
  }

  @Post('end-others')
  @HttpCode(200)
  @Operation({
    id: 'endOtherSessions',
    tag: 'Account',
    summary: 'End all other sessions',
    description:
      'Ends every sign-in of yours but that of this request, in all browsers and programs. Tokens of your own servers stay.',
    returns: data(EndedSessionsContract, 'How many have ended.'),
  })
  async endOthers(@CurrentPrincipal() principal: Principal): Promise<EndedSessionsContract> {
    return { ended: await this.sessions.endOthers(principal.userId, grantIdOf(principal)) };
  }
}
