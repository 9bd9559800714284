import { Controller, Get, Headers, Query, Req, Res } from '@nestjs/common';
import type { Request, Response } from 'express';
import { eventStream, Operation } from '../../platform/web/contract/operation.js';
import { Cursors } from '../../platform/web/cursors/cursors.service.js';
import { NoParameters } from '../../platform/web/contract/read-contract.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import { CurrentPrincipal, OAuthOnly } from '../../platform/web/security/auth.js';
import type { Principal, PrincipalRequest } from '../../platform/kernel/principal.pure.js';
import { ChangeContract } from './change.contract.js';
import { parseChangePlace } from './change-place.pure.js';
import { ChangeStreams } from './change-streams.service.js';
import { CURSOR } from '../../platform/web/contract/json-schema.js';

/** `/api/changes`: what a dashboard has to fetch again (specification/overview.md#changes). */
@Controller('api/changes')
@OAuthOnly('payments')
export class ChangesController {
  constructor(
    private readonly streams: ChangeStreams,
    private readonly cursors: Cursors,
  ) {}

  @Get()
  @Operation({
    id: 'streamChanges',
    tag: 'Payments',
    summary: 'Follow what changes',
    description:
      'Server-sent events: one for each payment, refund, delivery, application or network that changed, with its id and ' +
      'nothing of its content; fetch it. An event may come twice, and none is missed: continue with the last `id` as ' +
      '`Last-Event-ID`. Without it the changes of the last minute come first. Comments keep the stream alive; it ends ' +
      'after five minutes, at shutdown, and within seconds once its token is no longer valid.',
    headers: {
      'Last-Event-ID': {
        about: 'The last `id` that you have; if it is too old, `everything` is sent.',
        required: false,
        schema: CURSOR,
      },
    },
    returns: eventStream(ChangeContract, 'A stream that does not end by itself.'),
  })
  stream(
    @CurrentPrincipal() { userId }: Principal,
    @Query() _query: NoParameters,
    @Headers('last-event-id') lastEventId: string | undefined,
    @Req() request: Omit<Request, 'user'> & PrincipalRequest,
    @Res() response: Response,
  ): void {
    const after = lastEventId ? parseChangePlace(this.cursors.open(lastEventId) ?? '') : null;
    if (lastEventId && !after)
      throw ValidationError.of('Last-Event-ID', 'The Last-Event-ID header must be an id of this stream.');
    const { isTokenGood } = request;
    if (!isTokenGood) throw new Error('a stream on a route without a token');
    const cursorOf = (place: string) => this.cursors.seal(place, userId);
    this.streams.open(response, { userId, after, isTokenGood, cursorOf });
    // Express routes HEAD to the GET handler, whose stream would stay open.
    if (request.method === 'HEAD') response.end();
  }
}
