import { Injectable } from '@nestjs/common';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import type { ExportSource } from '../../platform/web/http/exports.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { conditionsOf } from '../payment-filters.js';
import { type ExportedPayment, PaymentListRepository } from '../payment-list.repository.js';
import { isLive, TRANSACTION_STATUS } from '../transfers/transfer-state.pure.js';
import {
  type ExportPaymentsQuery,
  type ExportTransfersQuery,
  PaymentExportRow,
  TransferExportRow,
} from './payment-export.contract.js';
import { type ExportedTransfer, TransferExportRepository } from './transfer-export.repository.js';

/** The exports of payments and of transfers (specification/exports.md). */
@Injectable()
export class PaymentExports {
  constructor(
    private readonly payments: PaymentListRepository,
    private readonly transfers: TransferExportRepository,
    private readonly clock: Clock,
  ) {}

  ofPayments(userId: string, query: ExportPaymentsQuery): ExportSource<ExportedPayment> {
    const filter = {
      ...conditionsOf(userId, query, this.clock.now()),
      applicationId: query.paymentApplicationId ?? null,
      reference: query.reference ?? null,
      search: query.search ?? null,
    };
    return {
      name: 'payments',
      format: query.format,
      until: filter.dateTo,
      row: PaymentExportRow,
      read: (after, limit) => this.payments.listAfter(filter, after, limit),
      placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      show: paymentRow,
    };
  }

  ofTransfers(userId: string, query: ExportTransfersQuery): ExportSource<ExportedTransfer> {
    const filter = {
      userId,
      applicationId: query.paymentApplicationId ?? null,
      chain: query.blockchain ?? null,
      currencyCode: query.currencyCode ?? null,
      from: query.from ?? null,
    };
    return {
      name: 'transfers',
      format: query.format,
      until: query.to ?? null,
      row: TransferExportRow,
      read: (after, limit) => this.transfers.listAfter(filter, after, limit),
      placeOf: ({ seenAt, id }) => ({ at: seenAt, id }),
      show: transferRow,
    };
  }
}

function paymentRow(payment: ExportedPayment): PaymentExportRow {
  const { decimals } = getCurrency(payment.currencyCode);
  const { amount, receivedAmount, overpaidAmount, underpaidAmount, refundedAmount } = payment;
  const whole = (sum: bigint | null) => (sum === null ? null : formatDecimal(sum, decimals));
  return {
    id: payment.id,
    createdAt: toIsoSeconds(payment.createdAt),
    paymentApplicationId: payment.applicationId,
    status: payment.status,
    reference: payment.reference,
    referenceLabel: payment.referenceLabel,
    currencyCode: payment.currencyCode,
    amount: formatDecimal(amount, decimals),
    amountAtomic: amount.toString(),
    receivedAmount: formatDecimal(receivedAmount, decimals),
    receivedAmountAtomic: receivedAmount.toString(),
    overpaidAmount: whole(overpaidAmount),
    overpaidAmountAtomic: overpaidAmount?.toString() ?? null,
    underpaidAmount: whole(underpaidAmount),
    underpaidAmountAtomic: underpaidAmount?.toString() ?? null,
    refundedAmount: formatDecimal(refundedAmount, decimals),
    refundedAmountAtomic: refundedAmount.toString(),
    foundAt: toIsoSecondsOrNull(payment.foundAt),
    receivedAt: toIsoSecondsOrNull(payment.receivedAt),
    confirmedAt: toIsoSecondsOrNull(payment.confirmedAt),
    cancelledAt: toIsoSecondsOrNull(payment.cancelledAt),
    expiresAt: toIsoSeconds(payment.expiresAt),
    reviewReason: payment.reviewReason,
  };
}

function transferRow(transfer: ExportedTransfer): TransferExportRow {
  const { amount, pricedAmount, quotedAmount } = transfer;
  // As `creditedAmount` of a transaction (PaymentPresenter).
  const credited = quotedAmount !== null && isLive(transfer) ? (pricedAmount * amount) / quotedAmount : 0n;
  return {
    id: transfer.id,
    seenAt: toIsoSeconds(transfer.seenAt),
    confirmedAt: toIsoSecondsOrNull(transfer.confirmedAt),
    status: TRANSACTION_STATUS[transfer.state],
    paymentId: transfer.paymentId,
    paymentApplicationId: transfer.applicationId,
    reference: transfer.reference,
    blockchain: transfer.chain,
    txHash: transfer.txHash,
    currencyCode: transfer.currencyCode,
    amount: formatDecimal(amount, transfer.assetDecimals),
    amountAtomic: amount.toString(),
    creditedCurrencyCode: transfer.pricingCode,
    creditedAmount: formatDecimal(credited, getCurrency(transfer.pricingCode).decimals),
    creditedAmountAtomic: credited.toString(),
    matched: transfer.isMatched,
    late: transfer.isLate,
  };
}
