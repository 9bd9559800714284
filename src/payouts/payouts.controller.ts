import { Controller, HttpCode, Param, Post } from '@nestjs/common';
import { APPLICATION_ID } from '../applications/applications.contract.js';
import type { Principal } from '../platform/kernel/principal.pure.js';
import { data, Operation, PathParameters } from '../platform/web/contract/operation.js';
import { Draft, DraftBody } from '../platform/web/contract/read-contract.js';
import { Idempotent, IdempotentRequest, type Once } from '../platform/web/idempotency/idempotency.js';
import { CurrentPrincipal, OAuthOnly, OAuthReading } from '../platform/web/security/auth.js';
import {
  PayoutContract,
  PreparePayoutContract,
  ReportedPayoutsContract,
  ReportPayoutsContract,
} from './payout.contract.js';
import { PayoutsService } from './payouts.service.js';

/** Many refunds paid at once from the merchant's own wallet (specification/refunds.md#payouts). */
@Controller('api/payment-applications/:id/payouts')
@PathParameters({ id: APPLICATION_ID })
export class PayoutsController {
  constructor(private readonly payouts: PayoutsService) {}

  /** A POST, because of the list; it takes no Idempotency-Key, as it changes nothing. */
  @Post()
  @HttpCode(200)
  @OAuthReading('refunds')
  @Operation({
    id: 'preparePayout',
    tag: 'Refunds',
    summary: 'Prepare a payout',
    description:
      'What pays many refunds of one blockchain, unsigned: a call for each, for any wallet, and one file for a Safe (EVM ' +
      'chains); a link for each where wallets read one. What cannot be paid is in `leftOut`. Nothing is stored, and nothing ' +
      'is signed.',
    returns: data(PayoutContract, 'What is to be signed, and what is in none of it.'),
    errors: ['payment_application_not_found'],
  })
  prepare(
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(PreparePayoutContract) draft: Draft<PreparePayoutContract>,
  ): Promise<PayoutContract> {
    return this.payouts.prepare(userId, id, draft);
  }

  @Post('complete')
  @HttpCode(200)
  @OAuthOnly('refunds')
  @Operation({
    id: 'reportPayouts',
    tag: 'Refunds',
    summary: 'Record the transactions that have paid refunds',
    description:
      'As for a single refund, for up to 100 at once; one transaction may have paid several. Each is verified on chain by ' +
      'itself: what the transaction has paid to an address counts once, however many refunds are owed there. What cannot be ' +
      'recorded has its `refusal`, and does not hold up the rest. Sending the same again changes nothing.',
    returns: data(ReportedPayoutsContract, 'What became of each refund.'),
    errors: ['payment_application_not_found'],
  })
  report(
    @Idempotent() request: IdempotentRequest,
    @CurrentPrincipal() { userId }: Principal,
    @Param('id') id: string,
    @DraftBody(ReportPayoutsContract) draft: Draft<ReportPayoutsContract>,
  ): Promise<Once<ReportedPayoutsContract>> {
    return request.once(draft, () => this.payouts.report(userId, id, draft));
  }
}
