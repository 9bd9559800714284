import { Injectable } from '@nestjs/common';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import type { ExportSource } from '../../platform/web/http/exports.service.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { type ExportRefundsQuery, RefundExportRow } from './refund-export.contract.js';
import { type ExportedRefund, RefundExportRepository } from './refund-export.repository.js';

/** The export of refunds (specification/exports.md#refunds). */
@Injectable()
export class RefundExports {
  constructor(private readonly refunds: RefundExportRepository) {}

  ofRefunds(userId: string, query: ExportRefundsQuery): ExportSource<ExportedRefund> {
    const filter = {
      userId,
      applicationId: query.paymentApplicationId ?? null,
      status: query.status ?? null,
      from: query.from ?? null,
    };
    return {
      name: 'refunds',
      format: query.format,
      until: query.to ?? null,
      row: RefundExportRow,
      read: (after, limit) => this.refunds.listAfter(filter, after, limit),
      placeOf: ({ createdAt, id }) => ({ at: createdAt, id }),
      show: refundRow,
    };
  }
}

function refundRow(refund: ExportedRefund): RefundExportRow {
  const { amount, payoutAmount } = refund;
  return {
    id: refund.id,
    createdAt: toIsoSeconds(refund.createdAt),
    type: refund.type,
    status: refund.status,
    paymentId: refund.paymentId,
    paymentApplicationId: refund.applicationId,
    reference: refund.reference,
    currencyCode: refund.currencyCode,
    amount: formatDecimal(amount, getCurrency(refund.currencyCode).decimals),
    amountAtomic: amount.toString(),
    blockchain: refund.chain,
    payoutCurrencyCode: refund.payoutCurrencyCode,
    payoutAmount: formatDecimal(payoutAmount, refund.payoutDecimals),
    payoutAmountAtomic: payoutAmount.toString(),
    address: refund.address,
    txHash: refund.txHash,
    completedAt: toIsoSecondsOrNull(refund.completedAt),
    failureReason: refund.failureReason,
    reason: refund.reason,
    transferId: refund.transferId,
  };
}
