import { Injectable } from '@nestjs/common';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import type { Sheet, SheetRow } from '../../platform/kernel/sheet.pure.js';
import { PaymentSheets } from '../../payments/export/payment-sheets.service.js';
import { checkSpan, sheetFormOf } from '../../platform/web/http/export-query.js';
import { type ExportPlace, type ExportSource, pagesOf } from '../../platform/web/http/exports.service.js';
import { RefundPresenter } from '../refund-presenter.service.js';
import type { RefundStatus } from '../refund-status.pure.js';
import { toIsoSeconds, toIsoSecondsOrNull } from '../../platform/kernel/clock.pure.js';
import { type ExportRefundsQuery, RefundExportRow } from './refund-export.contract.js';
import {
  type ExportedRefund,
  type RefundFilter,
  RefundExportRepository,
} from './refund-export.repository.js';

export const REFUND_SHEET = {
  name: 'refunds',
  columns: {
    'sheet.created-at': 'instant',
    'sheet.refunded-at': 'instant',
    'sheet.shop': 'text',
    'sheet.reference': 'text',
    'sheet.label': 'text',
    'sheet.status': 'word',
    'sheet.reason': 'text',
    'sheet.currency': 'text',
    'sheet.amount': 'amount',
    'sheet.network': 'text',
    'sheet.coin': 'text',
    'sheet.coin-amount': 'amount',
    'sheet.rate': 'amount',
    'sheet.address': 'id',
    'sheet.transaction': 'hash',
    'sheet.explorer': 'hash',
    'sheet.payment': 'id',
  },
  sums: [
    { by: ['sheet.status', 'sheet.currency'], of: ['sheet.amount'] },
    { by: ['sheet.status', 'sheet.coin'], of: ['sheet.coin-amount'] },
  ],
} as const satisfies Sheet;
export type RefundSheetRow = SheetRow<typeof REFUND_SHEET.columns>;

const STATUS_WORDS: Record<RefundStatus, MessageKey> = {
  AWAITING_ADDRESS: 'sheet.refund-awaiting-address',
  AWAITING_PAYMENT: 'sheet.refund-awaiting-payment',
  PROCESSING: 'sheet.refund-processing',
  COMPLETED: 'sheet.refund-completed',
  CANCELLED: 'sheet.refund-cancelled',
  FAILED: 'sheet.refund-failed',
  EXPIRED: 'sheet.refund-expired',
};

/** What refunds a report is about: those that were completed in a span of time, or those that are open and were made in it. */
export interface RefundSpan {
  userId: string;
  applicationId: string | null;
  from: Date;
  /** Exclusive. */
  to: Date;
}

/** The export of refunds (specification/exports.md#refunds). */
@Injectable()
export class RefundExports {
  constructor(
    private readonly refunds: RefundExportRepository,
    private readonly sheets: PaymentSheets,
    private readonly presenter: RefundPresenter,
    private readonly clock: Clock,
  ) {}

  ofRefunds(userId: string, query: ExportRefundsQuery): ExportSource<ExportedRefund> {
    checkSpan(query.from, query.to, ['from', 'to']);
    const until = query.to ?? this.clock.now();
    const shops = this.sheets.shopsOf(userId);
    const filter: RefundFilter = {
      userId,
      applicationId: query.paymentApplicationId ?? null,
      status: query.status ?? null,
      from: query.from ?? null,
      until,
      completed: null,
      isOpen: false,
    };
    return {
      format: query.format,
      form: sheetFormOf(query),
      from: filter.from,
      until,
      row: RefundExportRow,
      read: (after, limit, order) => this.refunds.listAfter(filter, after, limit, order),
      placeOf: placeOfRefund,
      show: refundRow,
      sheet: REFUND_SHEET,
      showPeople: async (refunds) => this.showPeople(refunds, await shops()),
    };
  }

  /** Those that were completed in the span, in the order of their creation. */
  completedIn({ from, to, ...owner }: RefundSpan): AsyncGenerator<RefundSheetRow[], void> {
    return this.list({ ...owner, from: null, until: to, completed: [from, to], isOpen: false });
  }

  /** Those that were made in the span, and are neither completed nor given up now. */
  openOf({ from, to, ...owner }: RefundSpan): AsyncGenerator<RefundSheetRow[], void> {
    const until = new Date(to.getTime() - 1);
    return this.list({ ...owner, from, until, completed: null, isOpen: true });
  }

  private async *list(span: Omit<RefundFilter, 'status'>): AsyncGenerator<RefundSheetRow[], void> {
    const shops = await this.sheets.shopsOf(span.userId)();
    const filter = { ...span, status: null };
    const pages = pagesOf(
      {
        from: filter.from,
        until: filter.until,
        read: (after, limit, order) => this.refunds.listAfter(filter, after, limit, order),
        placeOf: placeOfRefund,
      },
      'oldest-first',
    );
    for await (const refunds of pages) yield this.showPeople(refunds, shops);
  }

  private showPeople(
    refunds: readonly ExportedRefund[],
    shops: ReadonlyMap<string, string>,
  ): RefundSheetRow[] {
    return refunds.map((refund) => ({
      'sheet.created-at': refund.createdAt,
      'sheet.refunded-at': refund.completedAt,
      'sheet.shop': shops.get(refund.applicationId) ?? null,
      'sheet.reference': refund.reference,
      'sheet.label': refund.referenceLabel,
      'sheet.status': STATUS_WORDS[refund.status],
      'sheet.reason': refund.reason,
      'sheet.currency': refund.currencyCode,
      'sheet.amount': formatDecimal(refund.amount, getCurrency(refund.currencyCode).decimals),
      'sheet.network': this.sheets.networkName(refund.chain),
      'sheet.coin': refund.payoutCurrencyCode,
      'sheet.coin-amount': formatDecimal(refund.payoutAmount, refund.payoutDecimals),
      'sheet.rate': refund.rate,
      'sheet.address': refund.address,
      'sheet.transaction': refund.txHash,
      'sheet.explorer': this.presenter.explorerUrl(refund),
      'sheet.payment': refund.paymentId,
    }));
  }
}

const placeOfRefund = ({ createdAt, id }: ExportedRefund): ExportPlace => ({ at: createdAt, id });

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
