import { Controller, Get, Query } from '@nestjs/common';
import type { Principal } from '../../platform/kernel/principal.pure.js';
import { cursorPage, Operation } from '../../platform/web/contract/operation.js';
import type { CursorPage } from '../../platform/web/http/cursor-page.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import { ListRequestLogQuery, LoggedRequestContract } from './request-log.contract.js';
import { RequestLog } from './request-log.service.js';

/** `/api/request-log` (specification/authentication.md#request-log). */
@Controller('api/request-log')
@OAuthOnly('tokens')
export class RequestLogController {
  constructor(private readonly log: RequestLog) {}

  @Get()
  @Operation({
    id: 'listLoggedRequests',
    tag: 'Client tokens',
    summary: 'List what your servers have asked',
    description:
      'Requests with client tokens and with OAuth2 tokens of servers, newest first, a second or two after they were ' +
      'answered. Kept for 7 days, and of an account the newest 10,000 or 8 MiB; requests of the last second before a ' +
      'crash may be missing.',
    returns: cursorPage(LoggedRequestContract, 'The requests.'),
  })
  list(
    @CurrentPrincipal() { userId }: Principal,
    @Query() query: ListRequestLogQuery,
  ): Promise<CursorPage<LoggedRequestContract>> {
    return this.log.list(userId, query);
  }
}
