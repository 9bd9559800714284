import { Contract } from '../../platform/web/contract/contract.js';
import { AtomicText, Choice, Instant, Text, Uuid } from '../../platform/web/contract/fields.js';
import { SpanExportQuery } from '../../platform/web/http/export-query.js';
import { REFUND_STATUSES, REFUND_TYPES, type RefundStatus, type RefundType } from '../refund-status.pure.js';
import { EXAMPLE_REFUND_ID, REFUND_STATUS } from '../refund.contract.js';

const EXAMPLE_PAYMENT_ID = '550e8400-e29b-41d4-a716-446655440000';
const EXAMPLE_APPLICATION_ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';
const DECIMAL = '^\\d+(\\.\\d+)?$';

/** Query of GET /api/refunds/export (specification/exports.md#refunds). */
export class ExportRefundsQuery extends SpanExportQuery {
  @Uuid({
    optional: true,
    about: 'Only refunds of payments of this application.',
    example: EXAMPLE_APPLICATION_ID,
  })
  paymentApplicationId?: string;

  @Choice(REFUND_STATUSES, { optional: true, about: 'Only refunds in this status.' })
  status?: RefundStatus;
}

/** A row of the export of refunds. */
@Contract('RefundExportRow', 'A refund in an export.')
export class RefundExportRow {
  @Uuid({ about: 'The refund.', example: EXAMPLE_REFUND_ID })
  id: string;

  @Instant({ about: 'When it was created.', example: '2026-01-16T10:00:00Z' })
  createdAt: string;

  @Choice(REFUND_TYPES, { about: 'As in the refund.' })
  type: RefundType;

  @Choice(REFUND_STATUS)
  status: RefundStatus;

  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Uuid({ about: 'Its application.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string;

  @Text({ about: 'The reference of the payment.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The currency of the payment.', example: 'USD' })
  currencyCode: string;

  @Text({ pattern: DECIMAL, about: 'The refunded amount in that currency, exact.', example: '100.00' })
  amount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit.', example: '10000' })
  amountAtomic: string;

  @Text({ about: 'The slug of the blockchain to pay out on.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'The coin.', example: 'USDC' })
  payoutCurrencyCode: string;

  @Text({ pattern: DECIMAL, about: 'The amount to send in whole coins, exact.', example: '100.000000' })
  payoutAmount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit on this blockchain.', example: '100000000' })
  payoutAmountAtomic: string;

  @Text({ nullable: true, about: 'The payout address.' })
  address: string | null;

  @Text({ nullable: true, about: 'The transaction recorded as the payout.' })
  txHash: string | null;

  @Instant({ nullable: true, about: 'When the payout had enough blocks.' })
  completedAt: string | null;

  @Text({ nullable: true, about: 'Why the transaction does not count, as in the refund.' })
  failureReason: string | null;

  @Text({ nullable: true, about: 'Yours.', example: 'customer_request' })
  reason: string | null;

  @Uuid({ nullable: true, about: 'The unmatched transfer that it gives back.', example: null })
  transferId: string | null;
}
