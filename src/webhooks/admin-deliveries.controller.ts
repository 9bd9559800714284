import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { RecentOperator } from '../platform/web/security/auth.js';
import { ReplayWebhooksContract, WebhookReplayContract } from './webhook-delivery.contract.js';
import { WebhookLogService } from './webhook-log.service.js';

/** Deliveries of any application, for the operator (specification/operations.md#operator-views). */
@Controller('api/admin/payment-applications/:id/webhook-deliveries')
@PathParameters({ id: APPLICATION_ID })
export class AdminDeliveriesController {
  constructor(private readonly log: WebhookLogService) {}

  @Post('replay')
  @HttpCode(202)
  @RecentOperator()
  @Operation({
    id: 'replayWebhooksOfAnyone',
    tag: 'Operator',
    summary: 'Deliver again what failed for an application of anyone',
    description:
      'As `POST /api/payment-applications/{id}/webhook-deliveries/replay` does for its owner, at most 1,000 at a time. ' +
      'All applications at once: `replay-webhooks` of the command line. Takes a person who signed in during the last ' +
      'five minutes.',
    returns: data(WebhookReplayContract, 'How many are due now.'),
    errors: ['payment_application_not_found'],
  })
  replay(
    @Param('id') applicationId: string,
    @DraftBody(ReplayWebhooksContract) draft: Draft<ReplayWebhooksContract>,
  ): Promise<WebhookReplayContract> {
    return this.log.replayOfAnyone(applicationId, draft);
  }
}
