import { Injectable } from '@nestjs/common';
import { ApplicationsService } from '../../applications/applications.service.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { readDraft } from '../../platform/web/contract/read-contract.js';
import { RequestRefundContract } from '../../refunds/refund-request.contract.js';
import { paymentParameter } from '../../refunds/page/payment-link.pure.js';
import { RefundRequests, ReturnableChanged } from '../../refunds/refund-requests.service.js';
import { CheckoutLinks } from '../checkout-links.service.js';
import { notAForm } from './not-a-form.js';
import { PageAccessService, type PageVisitRequest } from './page-access.service.js';
import { pageLink, readQuery } from './page-query.js';
import { PaymentErrors } from './payment-errors.service.js';

/** Takes the forms of the page that ask for money back. */
@Injectable()
export class RefundRequestPages {
  constructor(
    private readonly links: CheckoutLinks,
    private readonly access: PageAccessService,
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
    private readonly requests: RefundRequests,
    private readonly errors: PaymentErrors,
  ) {}

  /** The page of the payment, as seen from the form. @throws CheckoutLinkError for a wrong signature */
  addressOf(paymentId: string, { query }: Pick<PageVisitRequest, 'query'>): string {
    this.links.verify(paymentId, query, false);
    return `../${encodeURIComponent(paymentId)}${pageLink(readQuery(query), {})}`;
  }

  /**
   * @param form unchecked; null: the body is none
   * @returns the address of the refund's page, as seen from the form
   * @throws ConflictError if there is nothing of that kind to give back
   */
  async request(paymentId: string, request: PageVisitRequest, form: unknown): Promise<string> {
    const { access } = this.access.decide(paymentId, request);
    const { payment } = await this.payments.get(paymentId);
    this.errors.remember(payment, await this.applications.getById(payment.applicationId));
    if (form === null) throw notAForm();
    // The page says that the link has expired. Money is given back to whoever saw the payment before.
    if (access === 'state') return this.addressOf(paymentId, request);
    const asked = readDraft(RequestRefundContract, form).finish();
    const claimUrl = await this.claimUrlOf(paymentId, asked);
    // The button of that page has the sum of now.
    if (claimUrl === null) return this.addressOf(paymentId, request);
    const { pathname, searchParams } = new URL(claimUrl);
    const { lang } = readQuery(request.query);
    if (lang !== null) searchParams.set('lang', lang);
    searchParams.set('payment', paymentParameter(paymentId, pageLink(readQuery(request.query), {})));
    return `../../refund/${pathname.split('/').at(-1) ?? ''}?${searchParams.toString()}`;
  }

  /** Null: another sum can be asked back by now. */
  private async claimUrlOf(
    paymentId: string,
    { type, transferId, payoutAmountAtomic }: RequestRefundContract,
  ): Promise<string | null> {
    try {
      const subject = { type, transferId: transferId ?? null };
      const { claimUrl } = await this.requests.request(paymentId, subject, payoutAmountAtomic ?? null);
      if (claimUrl === null) throw new Error('a refund that was asked for has no link');
      return claimUrl;
    } catch (error) {
      if (error instanceof ReturnableChanged) return null;
      throw error;
    }
  }
}
