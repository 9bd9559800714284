import { Controller, Get, Param, Query } from '@nestjs/common';
import { EXAMPLE_PAYMENT_ID } from '../payments/payment.contract.js';
import { data, Operation, PathParameters, uuidParameter } from '../platform/web/contract/operation.js';
import { NoParameters } from '../platform/web/contract/read-contract.js';
import { CurrentPrincipal, OAuthOnly } from '../platform/web/security/auth.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { TimelineEntryContract } from './timeline.contract.js';
import { TimelineService } from './timeline.service.js';

/** `/api/payment/{paymentId}/timeline` (specification/overview.md#timeline). */
@Controller('api/payment/:paymentId/timeline')
@OAuthOnly('payments')
@PathParameters({ paymentId: uuidParameter('The payment.', EXAMPLE_PAYMENT_ID, 'PaymentId') })
export class TimelineController {
  constructor(private readonly timeline: TimelineService) {}

  @Get()
  @Operation({
    id: 'getPaymentTimeline',
    tag: 'Payments',
    summary: 'Get the timeline of a payment',
    description:
      'Addresses, rates, transfers, moves, refunds, events with their deliveries, and who did what; oldest first, the ' +
      'newest 100, and of its transactions those that the payment lists.',
    returns: data([TimelineEntryContract], 'The entries.'),
    errors: ['payment_not_found'],
  })
  list(
    @CurrentPrincipal() principal: Principal,
    @Param('paymentId') paymentId: string,
    @Query() _query: NoParameters,
  ): Promise<TimelineEntryContract[]> {
    return this.timeline.listOwned(principal, paymentId);
  }
}
