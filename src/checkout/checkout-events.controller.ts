import { Controller, Get, Headers, Param, Req, Res, UseGuards } from '@nestjs/common';
import type { Request, Response } from 'express';
import { EXAMPLE_PAYMENT_ID } from '../payments/payment.contract.js';
import {
  nothing,
  Operation,
  PathParameters,
  plain,
  uuidParameter,
} from '../platform/web/contract/operation.js';
import { clientAddress } from '../platform/kernel/client-address.pure.js';
import { Public } from '../platform/web/security/auth.js';
import { CheckoutStreams } from './checkout-streams.service.js';
import { LivePageGuard } from './page/live-page.guard.js';

/** The stream that an open checkout page follows (specification/checkout.md#live-page). */
@Controller('checkout')
@UseGuards(LivePageGuard)
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class CheckoutEventsController {
  constructor(private readonly streams: CheckoutStreams) {}

  @Get(':paymentId/events')
  @Public()
  @Operation({
    id: 'streamCheckoutPage',
    tag: 'Public checkout',
    summary: 'Follow a payment from its page',
    description:
      'Server-sent events for the hosted page (`EventSource`): each `payment` event says by its `id`, the version of what ' +
      'the page shows, that there is something new to fetch. The first one says the current version, unless ' +
      '`Last-Event-ID` does. Comments keep it alive; it ends at a final status, after five minutes, and at shutdown.',
    headers: { 'Last-Event-ID': 'The version that the client knows.' },
    returns: plain({ 'text/event-stream': { type: 'string' } }, 'A stream that ends at a final status.'),
    alsoReturns: { 204: nothing('The status is final and known to the client: do not reconnect.') },
    isInternal: true,
  })
  async stream(
    @Param('paymentId') paymentId: string,
    @Headers('last-event-id') lastVersion: string | undefined,
    @Req() request: Request,
    @Res() response: Response,
  ): Promise<void> {
    const current = await this.streams.currentVersion(paymentId);
    if (current.isOver && current.version === lastVersion) {
      response.status(204).end();
      return;
    }
    this.streams.open(
      response,
      {
        paymentId,
        address: clientAddress(request),
        // The guard has checked it: whole seconds, the last of which is valid.
        linkEndsAt: new Date((Number(request.query['expires']) + 1) * 1000),
        lastVersion: lastVersion ?? null,
      },
      current,
    );
    // Express routes HEAD to the GET handler, whose stream would stay open.
    if (request.method === 'HEAD') response.end();
  }
}
