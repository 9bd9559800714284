import { Injectable } from '@nestjs/common';
import type { ApplicationView } from '../../applications/application-view.pure.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import type { PaymentAggregate } from '../../payments/payment.pure.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { GatewayError } from '../../platform/errors/errors.pure.js';
import { type PageRequest, textsOfRequest } from '../../platform/i18n/request-texts.js';
import type { RenderedPage } from '../../platform/html/page-document.js';
import { CheckoutLinks } from '../checkout-links.service.js';
import { CheckoutStatusService } from '../checkout-status.service.js';
import { InstructionsService } from '../instructions.service.js';
import type { MethodName } from '../method-choice.pure.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { PaymentMethodsService } from '../payment-methods.service.js';
import { methodsScreen } from './methods-screen.js';
import { closedScreen, expiredScreen, paidScreen } from './outcome-screens.js';
import { describeProblem, readQuery, wantedMethod } from './page-query.js';
import { payScreen } from './pay-screen.js';
import { partTag, paymentPage, paymentPart } from './payment-page.js';
import { type LocalizedQuery, PaymentViews } from './payment-views.service.js';
import type { PaymentView, Screen } from './screen.js';
import { foundScreen, shortScreen } from './seen-screens.js';

/** The instructions, or why there are none; null: no reason that the customer needs to read. */
type Attempt = { instructions: PaymentInstructionsContract } | { problem: string | null };

/** A screen of a payment. */
interface ShownScreen {
  view: PaymentView;
  screen: Screen;
  /** 403 if the link has expired. */
  httpStatus: 200 | 403;
}

/** The hosted checkout page: one signed URL, whose screen follows the payment's status. */
@Injectable()
export class CheckoutPageService {
  constructor(
    private readonly links: CheckoutLinks,
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
    private readonly methods: PaymentMethodsService,
    private readonly instructions: InstructionsService,
    private readonly views: PaymentViews,
    private readonly status: CheckoutStatusService,
  ) {}

  /**
   * @param request its query is unchecked
   * @throws CheckoutLinkError for a wrong signature; NotFoundError
   */
  async render(paymentId: string, request: PageRequest): Promise<RenderedPage> {
    const { view, screen, httpStatus } = await this.look(paymentId, request);
    return paymentPage(view, screen, httpStatus);
  }

  /**
   * The part of the page that changes.
   * @param knownTag of the part that the client has; null: none
   * @returns null if it still is as the client knows it; then nothing was rendered, and no price was renewed
   * @throws as {@link render}
   */
  async renderPart(
    paymentId: string,
    request: PageRequest,
    knownTag: string | null,
  ): Promise<RenderedPage | null> {
    if (knownTag !== null && this.links.verify(paymentId, request.query, false) === 'valid') {
      const status = await this.status.describe(await this.payments.get(paymentId));
      if (partTag(status) === knownTag) return null;
    }
    const { view, screen, httpStatus } = await this.look(paymentId, request);
    return paymentPart(view, screen, httpStatus);
  }

  private async look(paymentId: string, request: PageRequest): Promise<ShownScreen> {
    const link = this.links.verify(paymentId, request.query, false);
    const page = { ...readQuery(request.query), texts: textsOfRequest(request) };
    const before = await this.payments.get(paymentId);
    if (link === 'link_expired') {
      const view = await this.views.viewOf(before, page);
      return { view, screen: expiredScreen(view), httpStatus: 403 };
    }
    const application = await this.applications.getById(before.payment.applicationId);
    const methodCount = this.methods.listFor(before.payment, application).length;
    const wanted = wantedMethod(before.payment, page, methodCount);
    if (!wanted) return this.show(before, application, page, null);
    const attempt = await this.tryInstructions(before, wanted);
    // The attempt selects a method, and may move the payment to ERROR.
    return this.show(await this.payments.get(paymentId), application, page, attempt);
  }

  private async tryInstructions(state: PaymentAggregate, wanted: MethodName): Promise<Attempt> {
    try {
      return { instructions: await this.instructions.get(state, wanted) };
    } catch (error) {
      const isExpected = error instanceof GatewayError && (error.status < 500 || error.status === 503);
      if (!isExpected) throw error;
      return { problem: describeProblem(error) };
    }
  }

  private async show(
    state: PaymentAggregate,
    application: ApplicationView,
    page: LocalizedQuery,
    attempt: Attempt | null,
  ): Promise<ShownScreen> {
    const view = await this.views.viewOf(state, page);
    return { view, screen: await this.screenOf(state, application, view, attempt), httpStatus: 200 };
  }

  private async screenOf(
    state: PaymentAggregate,
    application: ApplicationView,
    view: PaymentView,
    attempt: Attempt | null,
  ): Promise<Screen> {
    const instructions = attempt && 'instructions' in attempt ? attempt.instructions : null;
    const { status } = state.payment;
    switch (status) {
      case 'OPEN': {
        const methods = this.methods.listFor(state.payment, application);
        if (instructions) return payScreen(view, instructions, methods.length > 1);
        const problem = attempt && 'problem' in attempt ? attempt.problem : null;
        return methodsScreen(view, await this.methods.describeFor(state, application), problem);
      }
      case 'FOUND':
      case 'UNDERPAID':
        return view.isShort ? shortScreen(view, instructions) : foundScreen(view);
      case 'RECEIVED':
      case 'CONFIRMED':
        return paidScreen(view);
      case 'CANCELLED':
      case 'ERROR':
      case 'REFUND':
        return closedScreen(view, status);
    }
  }
}
