import { Injectable } from '@nestjs/common';
import { getCurrency } from '../../money/currencies.js';
import { formatDecimal } from '../../money/money.js';
import {
  PaymentExports,
  type PaidPayment,
  type Span,
} from '../../payments/export/payment-exports.service.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { TRANSFER_SHEET } from '../../payments/export/payment-sheets.service.js';
import { Clock } from '../../platform/kernel/clock.pure.js';
import { ValidationError } from '../../platform/kernel/errors/errors.pure.js';
import type { MessageKey } from '../../platform/kernel/i18n/texts.js';
import type { Sheet, SheetRow } from '../../platform/kernel/sheet.pure.js';
import { monthOf } from '../../platform/kernel/zone-days.pure.js';
import { type SheetForm, sheetForm } from '../../platform/web/http/export-query.js';
import { RefundExports } from '../../refunds/export/refund-exports.service.js';
import type { MonthQuery } from './month.contract.js';

const { 'sheet.paid-at': _paidAt, 'sheet.status': _status, ...MONEY } = TRANSFER_SHEET.columns;
const COLUMNS = { 'sheet.date': 'instant', 'sheet.kind': 'word', ...MONEY } as const;
type MonthRow = SheetRow<typeof COLUMNS>;

/** What a row of a month is about, in the order of the file. */
const KINDS = {
  received: 'month.received',
  refunded: 'month.refunded',
  promised: 'month.promised',
  funds_after_end: 'month.paid-late',
  paid_late: 'month.paid-late',
  paid_twice: 'month.paid-twice',
  overpaid_held: 'month.overpaid',
  overpaid: 'month.overpaid',
  underpaid: 'month.missing',
} as const satisfies Record<string, MessageKey>;

/** A month of an account as one file (specification/exports.md#a-month). */
@Injectable()
export class MonthService {
  constructor(
    private readonly payments: PaymentExports,
    private readonly states: PaymentsService,
    private readonly refunds: RefundExports,
    private readonly clock: Clock,
  ) {}

  /** @throws ValidationError for a month that has not begun */
  of(
    userId: string,
    { month, timeZone, format, locale, paymentApplicationId }: MonthQuery,
  ): { sheet: Sheet; form: SheetForm; pages: AsyncGenerator<readonly SheetRow[], void> } {
    const span = monthOf(month, timeZone);
    if (!span || span.from > this.clock.now())
      throw ValidationError.of(
        'month',
        `The month field must not be in the future: ${month} has not begun in ${timeZone}.`,
      );
    const form = sheetForm({ format, locale, timeZone });
    const sheet: Sheet = {
      name: `month-${month}`,
      hasSpan: true,
      columns: COLUMNS,
      sums: [
        { by: ['sheet.kind', 'sheet.currency'], of: ['sheet.value'] },
        { by: ['sheet.kind', 'sheet.coin'], of: ['sheet.coin-amount'] },
      ],
    };
    const owner = { userId, applicationId: paymentApplicationId ?? null };
    return { sheet, form, pages: this.pages({ ...owner, ...span }) };
  }

  private async *pages(span: Span): AsyncGenerator<readonly MonthRow[], void> {
    const kind = (name: keyof typeof KINDS) => ({ 'sheet.kind': KINDS[name] });
    for await (const rows of this.payments.received(span))
      yield rows.map((row) => ({ 'sheet.date': row['sheet.paid-at'], ...kind('received'), ...moneyOf(row) }));
    const sections = [
      ['refunded', 'sheet.refunded-at', this.refunds.completedIn(span)],
      ['promised', 'sheet.created-at', this.refunds.openOf(span)],
    ] as const;
    for (const [name, date, pages] of sections)
      for await (const rows of pages)
        yield rows.map((row) => ({
          'sheet.date': row[date],
          ...kind(name),
          ...moneyOf({ ...row, 'sheet.value': row['sheet.amount'], 'sheet.path': null }),
        }));
    for await (const paid of this.payments.paid(span)) {
      const open = await this.states.openOf(paid.map(({ payment }) => payment));
      yield paid.flatMap((one) => {
        const found = open.get(one.payment.id);
        return found ? [{ ...kind(found.kind), ...openRow(one, found.amount) }] : [];
      });
    }
  }
}

/** The columns that a month has of a row of another file. */
function moneyOf(row: SheetRow<typeof MONEY>): SheetRow<typeof MONEY> {
  const keys = [...(Object.keys(MONEY) as (keyof typeof MONEY)[]), 'note' as const];
  return Object.fromEntries(keys.map((key) => [key, row[key]])) as SheetRow<typeof MONEY>;
}

/** What is owed is in the currency of the payment alone: no coin moved. */
function openRow({ payment, row }: PaidPayment, amount: bigint): Omit<MonthRow, 'sheet.kind'> {
  return {
    'sheet.date': row['sheet.paid-at'] ?? null,
    'sheet.shop': row['sheet.shop'] ?? null,
    'sheet.reference': payment.reference,
    'sheet.label': payment.referenceLabel,
    'sheet.currency': payment.currencyCode,
    'sheet.value': formatDecimal(amount, getCurrency(payment.currencyCode).decimals),
    'sheet.network': row['sheet.network'] ?? null,
    'sheet.coin': null,
    'sheet.coin-amount': null,
    'sheet.rate': null,
    'sheet.address': row['sheet.address'] ?? null,
    'sheet.path': row['sheet.path'] ?? null,
    'sheet.transaction': row['sheet.transaction'] ?? null,
    'sheet.explorer': row['sheet.explorer'] ?? null,
    'sheet.payment': payment.id,
  };
}
