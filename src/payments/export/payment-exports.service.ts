import { Injectable } from '@nestjs/common';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import { checkSpan, sheetFormOf } from '../../platform/web/http/export-query.js';
import { type ExportPlace, type ExportSource, pagesOf } from '../../platform/web/http/exports.service.js';
import { Clock, toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { conditionsOf } from '../payment-filters.js';
import { type ExportedPayment, PaymentListRepository } from '../payment-list.repository.js';
import { creditedBy } from '../quotes/parts.pure.js';
import { TRANSACTION_STATUS } from '../transfers/transfer-state.pure.js';
import {
  type ExportPaymentsQuery,
  type ExportTransfersQuery,
  PaymentExportRow,
  TransferExportRow,
} from './payment-export.contract.js';
import {
  PAYMENT_SHEET,
  type PaymentSheetRow,
  PaymentSheets,
  TRANSFER_SHEET,
  type TransferSheetRow,
} from './payment-sheets.service.js';
import { PaymentSearch } from '../search/payment-search.service.js';
import { SmallTransferSums } from './small-transfers.js';
import { type ExportedTransfer, TransferExportRepository } from './transfer-export.repository.js';

/** The exports of payments and of transfers (specification/exports.md). */
@Injectable()
export class PaymentExports {
  constructor(
    private readonly payments: PaymentListRepository,
    private readonly transfers: TransferExportRepository,
    private readonly sheets: PaymentSheets,
    private readonly search: PaymentSearch,
    private readonly clock: Clock,
  ) {}

  private async spelledAsFound(userId: string, text: string | undefined): Promise<string | null> {
    return text === undefined ? null : (await this.search.find(userId, text, 1)).text;
  }

  ofPayments(userId: string, query: ExportPaymentsQuery): ExportSource<ExportedPayment> {
    checkSpan(query.dateFrom, query.dateTo, ['dateFrom', 'dateTo']);
    const now = this.clock.now();
    const filter = {
      ...conditionsOf(userId, query, now),
      dateTo: query.dateTo ?? now,
      by: query.by,
      applicationId: query.paymentApplicationId ?? null,
      reference: query.reference ?? null,
    };
    const shops = this.sheets.shopsOf(userId);
    let search: Promise<string | null> | undefined;
    return {
      format: query.format,
      form: sheetFormOf(query),
      from: filter.dateFrom,
      until: query.dateTo ?? now,
      row: PaymentExportRow,
      read: async (after, limit, order) => {
        // As the list spells it, which shows what is exported.
        search ??= this.spelledAsFound(userId, query.search);
        return this.payments.listAfter({ ...filter, search: await search }, after, limit, order);
      },
      placeOf: ({ place }) => place,
      show: paymentRow,
      sheet: PAYMENT_SHEET,
      showPeople: async (payments) => this.sheets.showPayments(payments, await shops()),
    };
  }

  ofTransfers(userId: string, query: ExportTransfersQuery): ExportSource<ExportedTransfer> {
    checkSpan(query.from, query.to, ['from', 'to']);
    const until = query.to ?? this.clock.now();
    const shops = this.sheets.shopsOf(userId);
    const filter = {
      userId,
      applicationId: query.paymentApplicationId ?? null,
      chain: query.blockchain ?? null,
      currencyCode: query.currencyCode ?? null,
      from: query.from ?? null,
      until,
      isReceived: false,
    };
    const small = new SmallTransferSums(this.transfers, filter);
    return {
      format: query.format,
      form: sheetFormOf(query),
      from: filter.from,
      until,
      row: TransferExportRow,
      read: (after, limit, order) => this.transfers.listAfter(filter, after, limit, order),
      placeOf: placeOfTransfer,
      show: transferRow,
      sheet: TRANSFER_SHEET,
      showPeople: async (transfers) =>
        this.sheets.showTransfers(await small.rowsOf(transfers), await shops()),
    };
  }

  /** What the report of received funds counts in a span of time: its sums are those of the report. */
  async *received({ userId, applicationId, from, to }: Span): AsyncGenerator<TransferSheetRow[], void> {
    const shops = await this.sheets.shopsOf(userId)();
    const all = { chain: null, currencyCode: null, isReceived: true };
    // The end of the report is exclusive; times have milliseconds.
    const filter = { ...all, userId, applicationId, from, until: new Date(to.getTime() - 1) };
    const pages = pagesOf(
      {
        from,
        until: filter.until,
        read: (after, limit, order) => this.transfers.listAfter(filter, after, limit, order),
        placeOf: placeOfTransfer,
      },
      'oldest-first',
    );
    const small = new SmallTransferSums(this.transfers, filter);
    for await (const transfers of pages)
      yield await this.sheets.showTransfers(await small.rowsOf(transfers), shops);
  }

  /** The payments whose first confirmed funds were seen in a span of time. */
  async *paid({ userId, applicationId, from, to }: Span): AsyncGenerator<PaidPayment[], void> {
    const shops = await this.sheets.shopsOf(userId)();
    const until = new Date(to.getTime() - 1);
    const filter = {
      ...conditionsOf(userId, { dateFrom: from, dateTo: until }, this.clock.now()),
      by: 'paid' as const,
      applicationId,
      reference: null,
      search: null,
    };
    const pages = pagesOf(
      {
        from,
        until,
        read: (after, limit, order) => this.payments.listAfter(filter, after, limit, order),
        placeOf: ({ place }) => place,
      },
      'oldest-first',
    );
    for await (const payments of pages) {
      const rows = await this.sheets.showPayments(payments, shops);
      yield payments.map((payment, index) => ({ payment, row: rows[index] ?? {} }));
    }
  }
}

/** What a report is about; the end is exclusive. */
export interface Span {
  userId: string;
  applicationId: string | null;
  from: Date;
  to: Date;
}

/** A payment, and what people read of it. */
export interface PaidPayment {
  payment: ExportedPayment;
  row: Partial<PaymentSheetRow>;
}

const placeOfTransfer = ({ seenAt, id }: ExportedTransfer): ExportPlace => ({ at: seenAt, id });

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
  const { amount } = transfer;
  const credited = creditedBy(transfer);
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
