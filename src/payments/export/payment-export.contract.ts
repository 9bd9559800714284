import { BlockchainFilter } from '../../chains/blockchain-filter.contract.js';
import { Contract } from '../../platform/web/contract/contract.js';
import {
  AtomicText,
  Choice,
  FieldOf,
  Flag,
  Instant,
  Text,
  Uuid,
} from '../../platform/web/contract/fields.js';
import { EXPORT_TIMES, type ExportTime } from '../payment-list.repository.js';
import { ExportQuery, SpanExportQuery } from '../../platform/web/http/export-query.js';
import { EXAMPLE_PAYMENT_ID, EXAMPLE_TRANSFER_ID, PAYMENT_STATUS } from '../payment.contract.js';
import { FILTERS, type PaymentFilters, CoinFilter } from '../payment-filters.js';
import type { PaymentStatus } from '../payment-status.pure.js';
import type { ReviewReason } from '../payment.pure.js';

const EXAMPLE_APPLICATION_ID = '7d7f3f0a-4d5e-4f7a-8f0e-2f1d3c4b5a69';
const DECIMAL = '^\\d+(\\.\\d+)?$';

/** Query of GET /api/payment/export (specification/exports.md#payments). */
export class ExportPaymentsQuery extends ExportQuery implements PaymentFilters {
  @Choice(EXPORT_TIMES, {
    optional: true,
    about:
      'What `dateFrom`, `dateTo` and the order of the rows are about: `created`, or `paid`: when the first confirmed funds ' +
      'were seen; those without any are left out.',
    default: 'created',
  })
  by: ExportTime = 'created';

  @FILTERS.paymentApplicationId
  paymentApplicationId?: string;

  @FILTERS.status
  status?: PaymentStatus[];

  @FILTERS.reference
  reference?: string;

  @FILTERS.blockchain
  blockchain?: string;

  @FILTERS.coin
  coin?: string;

  @FILTERS.currencyCode
  currencyCode?: string;

  @FILTERS.amountFrom
  amountFrom?: bigint;

  @FILTERS.amountTo
  amountTo?: bigint;

  @FILTERS.dateFrom
  dateFrom?: Date;

  @FILTERS.dateTo
  dateTo?: Date;

  @FILTERS.search
  search?: string;

  @FILTERS.reviewReason
  reviewReason?: ReviewReason;

  @FILTERS.late
  late?: boolean;

  @FILTERS.expiredWithFunds
  expiredWithFunds?: boolean;

  @FILTERS.overpaid
  overpaid?: boolean;

  @FILTERS.unmatchedFunds
  unmatchedFunds?: boolean;
}

/** Query of GET /api/transfers/export (specification/exports.md#transfers). */
export class ExportTransfersQuery extends SpanExportQuery {
  @FILTERS.paymentApplicationId
  paymentApplicationId?: string;

  @BlockchainFilter('On this blockchain, by its slug.')
  blockchain?: string;

  @CoinFilter('In this coin.')
  currencyCode?: string;
}

/** A row of the export of payments. Amounts are in the currency of the payment. */
@Contract('PaymentExportRow', 'A payment in an export.')
export class PaymentExportRow {
  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  id: string;

  @Instant({ about: 'When it was created.' })
  createdAt: string;

  @Uuid({ about: 'Its application.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string;

  @Choice(PAYMENT_STATUS, { example: 'CONFIRMED' })
  status: PaymentStatus;

  @Text({ about: 'Your reference.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The reference as customers see it.', example: 'Order #123' })
  referenceLabel: string;

  @Text({ about: 'The currency of the amounts.', example: 'USD' })
  currencyCode: string;

  @Text({ pattern: DECIMAL, about: 'The amount in whole units, exact.', example: '100.00' })
  amount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit.', example: '10000' })
  amountAtomic: string;

  @Text({ pattern: DECIMAL, about: 'Confirmed funds.', example: '100.00' })
  receivedAmount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit.', example: '10000' })
  receivedAmountAtomic: string;

  @Text({ pattern: DECIMAL, nullable: true, about: 'The excess over the amount.' })
  overpaidAmount: string | null;

  @AtomicText({ min: 0n, nullable: true, about: 'The same in the smallest unit.' })
  overpaidAmountAtomic: string | null;

  @Text({ pattern: DECIMAL, nullable: true, about: 'The missing amount.' })
  underpaidAmount: string | null;

  @AtomicText({ min: 0n, nullable: true, about: 'The same in the smallest unit.' })
  underpaidAmountAtomic: string | null;

  @Text({ pattern: DECIMAL, about: 'The sum of completed refunds.', example: '0.00' })
  refundedAmount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit.', example: '0' })
  refundedAmountAtomic: string;

  @Instant({ nullable: true, about: 'When funds were first seen.' })
  foundAt: string | null;

  @Instant({ nullable: true, about: 'When it became RECEIVED.' })
  receivedAt: string | null;

  @Instant({ nullable: true, about: 'When it became CONFIRMED.' })
  confirmedAt: string | null;

  @Instant({ nullable: true, about: 'When it was cancelled.' })
  cancelledAt: string | null;

  @Instant({ about: 'When its link expires.', example: '2026-03-15T12:00:00Z' })
  expiresAt: string;

  @FieldOf(
    {
      schema: () => ({
        type: ['string', 'null'],
        enum: ['overpaid', 'reorg', 'funds_after_cancel', 'integrity', null],
      }),
    },
    { about: 'Why it needs a person’s attention, as in the payment.', example: null },
  )
  reviewReason: ReviewReason | null;
}

/** A row of the export of transfers. */
@Contract('TransferExportRow', 'A movement of funds in an export.')
export class TransferExportRow {
  @Uuid({ about: 'The transfer.', example: EXAMPLE_TRANSFER_ID })
  id: string;

  @Instant({ about: 'When it was first seen.' })
  seenAt: string;

  @Instant({ nullable: true, about: 'When it had enough blocks.' })
  confirmedAt: string | null;

  @Choice(['PENDING', 'CONFIRMED', 'REPLACED', 'ORPHANED'], {
    about: 'As in the `transactions` of a payment.',
    example: 'CONFIRMED',
  })
  status: 'PENDING' | 'CONFIRMED' | 'REPLACED' | 'ORPHANED';

  @Uuid({ about: 'The payment.', example: EXAMPLE_PAYMENT_ID })
  paymentId: string;

  @Uuid({ about: 'Its application.', example: EXAMPLE_APPLICATION_ID })
  paymentApplicationId: string;

  @Text({ about: 'The reference of the payment.', example: 'ORDER-123' })
  reference: string;

  @Text({ about: 'The slug of the blockchain.', example: 'ethereum' })
  blockchain: string;

  @Text({ about: 'Of the transaction.', example: '0x9f3c1e7a5b2d4c6e' })
  txHash: string;

  @Text({ about: 'The received coin.', example: 'USDC' })
  currencyCode: string;

  @Text({ pattern: DECIMAL, about: 'The received amount in whole coins, exact.', example: '100.000000' })
  amount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit on this blockchain.', example: '100000000' })
  amountAtomic: string;

  @Text({ about: 'The currency of the payment.', example: 'USD' })
  creditedCurrencyCode: string;

  @Text({
    pattern: DECIMAL,
    about: 'The credited amount, in the currency of the payment.',
    example: '100.00',
  })
  creditedAmount: string;

  @AtomicText({ min: 0n, about: 'The same in the smallest unit.', example: '10000' })
  creditedAmountAtomic: string;

  @Flag({ about: 'It counts, now or once it is confirmed.', example: true })
  matched: boolean;

  @Flag({ about: 'Seen after the rate lock and its grace.' })
  late: boolean;
}
