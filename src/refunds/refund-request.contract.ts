import { AmountContract, EXAMPLE_USDC_100 } from '../money/amount.contract.js';
import { Contract } from '../platform/web/contract/contract.js';
import { AtomicText, Choice, Nested, Text, Uuid } from '../platform/web/contract/fields.js';
import { REQUEST_TYPES, type RequestType } from './refund-requests.pure.js';
import { REFUND_STATUSES, type RefundStatus } from './refund-status.pure.js';
import { EXAMPLE_REFUND_ID, RefundBlockchainContract } from './refund.contract.js';

const WHAT =
  'OVERPAYMENT: the excess over the amount. UNDERPAYMENT: all that was received, instead of paying the rest. ' +
  'UNEXPECTED: funds of a closed payment, or an unmatched transaction.';

/** What a customer asks for, by JSON or by the form of the page. */
@Contract('RequestRefund', 'One of the `returnable` funds of the payment.')
export class RequestRefundContract {
  @Choice(REQUEST_TYPES, { about: WHAT })
  type: RequestType;

  @Uuid({
    optional: true,
    nullable: true,
    about: 'The unmatched transaction; for no other funds.',
  })
  transferId?: string | null;

  @AtomicText({
    optional: true,
    nullable: true,
    about:
      'The `payoutAmount.atomic` that the customer saw. If it is another by now, nothing is created (409), so that ' +
      'nobody asks for a sum that they have not seen.',
    example: '2500000',
  })
  payoutAmountAtomic?: bigint | null;
}

/** Funds that a customer can ask back, and what became of an earlier request (specification/refunds.md#requests). */
@Contract('ReturnableFunds', 'Funds that the customer can ask back, or has asked for.')
export class ReturnableFundsContract {
  @Choice(REQUEST_TYPES, { about: WHAT })
  type: RequestType;

  @Uuid({ nullable: true, about: 'The unmatched transaction; null: funds that the payment has received.' })
  transferId: string | null;

  @Nested(() => AmountContract, { about: 'What the shop would send.', example: EXAMPLE_USDC_100 })
  payoutAmount: AmountContract;

  @Nested(() => RefundBlockchainContract)
  blockchain: RefundBlockchainContract;

  @Choice(REFUND_STATUSES, {
    nullable: true,
    about: 'Of the refund; null: it was not asked for yet. CANCELLED: the shop has cancelled it.',
    example: 'AWAITING_ADDRESS',
  })
  status: RefundStatus | null;

  @Text({
    format: 'uri',
    nullable: true,
    about:
      'The page of the refund, where the customer enters an address; null: not asked for by the customer.',
    example:
      `https://pay.example/refund/${EXAMPLE_REFUND_ID}?expires=1771149600` +
      '&signature=1f0c6a52d9be4b7c83e1a4f60d5b29c7e8a3f1d20b64c59e7d80f2a1b3c4d5e6',
  })
  claimUrl: string | null;
}
