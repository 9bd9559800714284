import { Injectable } from '@nestjs/common';
import { PaymentsService } from '../../payments/payments.service.js';
import type { PageRequest } from '../../platform/kernel/i18n/request-texts.js';
import { CheckoutLinks } from '../checkout-links.service.js';
import { ReportError, TransactionReports } from '../transaction-reports.service.js';
import { notAForm } from './not-a-form.js';
import { pageLink, readQuery, readReportForm } from './page-query.js';

/** The form for a payment that the page does not show (specification/checkout.md#already-paid). */
@Injectable()
export class ReportForm {
  constructor(
    private readonly links: CheckoutLinks,
    private readonly payments: PaymentsService,
    private readonly reports: TransactionReports,
  ) {}

  /**
   * Has a transaction looked for, also when the link has expired: who has paid in time may see so later.
   * @param form unchecked; null: the body is none
   * @returns the address of the page to go to, as seen from the page
   * @throws CheckoutLinkError for a wrong signature; NotFoundError
   */
  async report(paymentId: string, request: PageRequest, form: unknown): Promise<string> {
    this.links.verify(paymentId, request.query, false);
    const page = readQuery(request.query);
    const state = await this.payments.get(paymentId);
    if (form === null) throw notAForm();
    try {
      await this.reports.report(state, readReportForm(form));
      return pageLink(page, {});
    } catch (error) {
      if (!(error instanceof ReportError)) throw error;
      // As for a choice that failed: nothing is kept, and a reload sends nothing again.
      return pageLink(page, { paid: error.problem });
    }
  }
}
