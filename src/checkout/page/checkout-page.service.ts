import { Injectable } from '@nestjs/common';
import type { ApplicationView } from '../../applications/application-view.pure.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import type { Payment, PaymentAggregate } from '../../payments/payment.pure.js';
import { PaymentsService } from '../../payments/payments.service.js';
import { ConflictError, GatewayError } from '../../platform/kernel/errors/errors.pure.js';
import { textsOfRequest } from '../../platform/kernel/i18n/request-texts.js';
import type { RenderedPage } from '../../platform/web/html/page-document.js';
import { CheckoutStatusService } from '../checkout-status.service.js';
import { type FoundInstructions, InstructionsService } from '../instructions.service.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import { PaymentMethodsService } from '../payment-methods.service.js';
import { coinsScreen } from './coins-screen.js';
import { isPicking, stepOf } from './method-picker.pure.js';
import { confirmScreen, networksScreen } from './networks-screen.js';
import { closedScreen, paidScreen } from './outcome-screens.js';
import { endedScreen } from './ended-screens.js';
import { notAForm } from './not-a-form.js';
import { PageAccessService, type PageVisitRequest } from './page-access.service.js';
import { pageLink, pageOfChoice, type PageQuery, readChoice, readQuery } from './page-query.js';
import { PaymentErrors } from './payment-errors.service.js';
import { payScreen } from './pay-screen.js';
import { isTerminal, versionOf } from '../payment-version.pure.js';
import { partTag, paymentPage, paymentPart } from './payment-page.js';
import { PaymentViews } from './payment-views.service.js';
import type { PaymentView, Screen } from './screen.js';
import { foundScreen } from './seen-screens.js';
import { shortScreen } from './short-screen.js';

/** The payment cannot go on. */
const FAILED = Symbol('failed');
/** Statuses in which a customer can pay. */
const PAYABLE: readonly string[] = ['OPEN', 'FOUND', 'UNDERPAID'];

/** What a screen is made of. */
interface ShownPayment {
  state: PaymentAggregate;
  application: ApplicationView;
  view: PaymentView;
  page: PageQuery;
}

/** A screen of a payment. */
interface ShownScreen {
  payment: Payment;
  application: ApplicationView;
  /** An address of the operator; null: not known. */
  wasShown: boolean | null;
  view: PaymentView;
  screen: Screen;
  /** `Set-Cookie`; null: none. */
  cookie: string | null;
}

/** The hosted checkout page: one signed URL, whose screen follows the payment's status. */
@Injectable()
export class CheckoutPageService {
  constructor(
    private readonly access: PageAccessService,
    private readonly payments: PaymentsService,
    private readonly applications: ApplicationsService,
    private readonly methods: PaymentMethodsService,
    private readonly instructions: InstructionsService,
    private readonly views: PaymentViews,
    private readonly status: CheckoutStatusService,
    private readonly errors: PaymentErrors,
  ) {}

  /**
   * @param request its query is unchecked
   * @throws CheckoutLinkError for a wrong signature; NotFoundError
   */
  async render(paymentId: string, request: PageVisitRequest): Promise<RenderedPage> {
    const { view, screen, cookie, payment, application, wasShown } = await this.look(paymentId, request);
    const methods = this.methods.listFor(payment, application);
    const isStraight = await this.views.isStraight(payment, methods, wasShown);
    return withCookie(paymentPage(view, screen, isStraight), cookie);
  }

  /**
   * The part of the page that changes.
   * @param knownTag of the part that the client has; null: none
   * @returns null if it still is as the client knows it; then nothing was rendered
   * @throws as {@link render}
   */
  async renderPart(
    paymentId: string,
    request: PageVisitRequest,
    knownTag: string | null,
  ): Promise<RenderedPage | null> {
    this.access.decide(paymentId, request);
    if (knownTag !== null) {
      const status = await this.status.describe(await this.payments.get(paymentId));
      if (partTag({ version: versionOf(status) }) === knownTag) return null;
    }
    const { view, screen, cookie } = await this.look(paymentId, request);
    return withCookie(paymentPart(view, screen), cookie);
  }

  private async look(paymentId: string, request: PageVisitRequest): Promise<ShownScreen> {
    const granted = this.access.decide(paymentId, request);
    const before = await this.payments.get(paymentId);
    const application = await this.applications.getById(before.payment.applicationId);
    const language = application.isSiteAuthentic ? application.site.defaultLanguage : null;
    const page = { ...readQuery(request.query), texts: textsOfRequest(request, language) };
    this.errors.remember(before.payment, application);
    if (granted.access !== 'pay') {
      const view = await this.views.viewOf(before, page, granted);
      const { payment } = before;
      return { payment, application, wasShown: null, view, screen: endedScreen(view), cookie: null };
    }
    const found = await this.findInstructions(before, page);
    // Finding them moves the payment to ERROR if its address is not of its wallet.
    const state = found === FAILED ? await this.payments.get(paymentId) : before;
    const view = await this.views.viewOf(state, page, granted);
    const shown = { state, application, view, page };
    const { instructions = null, isAnyOfOperator: wasShown = null } = found === FAILED ? {} : (found ?? {});
    const screen = await this.screenOf(shown, instructions);
    // Of a payment that has ended there is nothing to follow.
    const cookie = isTerminal(state.payment) ? null : granted.cookie;
    return { payment: state.payment, application, wasShown, view, screen, cookie };
  }

  /** What the customer was shown before; a page that is only looked at allots nothing. */
  private async findInstructions(
    state: PaymentAggregate,
    { shown }: PageQuery,
  ): Promise<FoundInstructions | null | typeof FAILED> {
    if (!PAYABLE.includes(state.payment.status)) return null;
    try {
      return await this.instructions.find(state, shown);
    } catch (error) {
      if (error instanceof ConflictError) return FAILED;
      throw error;
    }
  }

  /** The page without what its address says about the way to pay. @throws CheckoutLinkError for a wrong signature */
  addressOf(paymentId: string, request: PageVisitRequest): string {
    this.access.decide(paymentId, request);
    return pageLink(readQuery(request.query), {});
  }

  /**
   * Chooses a method, or renews its price: allots the address and locks the rate.
   * @param form unchecked; null: the body is none
   * @returns the address of the page to go to, as seen from the page: it shows the instructions, or why there are none
   * @throws as {@link render}
   */
  async choose(paymentId: string, request: PageVisitRequest, form: unknown): Promise<string> {
    const { access } = this.access.decide(paymentId, request);
    const page = readQuery(request.query);
    const state = await this.payments.get(paymentId);
    if (form === null) throw notAForm();
    // Whatever the payment shows then.
    if (access !== 'pay' || !PAYABLE.includes(state.payment.status)) return pageLink(page, {});
    const wanted = readChoice(form);
    if (wanted.provider === null || wanted.method === null) return pageOfChoice(page, wanted);
    try {
      await this.instructions.get(state, wanted);
      return pageLink(page, {});
    } catch (error) {
      const isExpected = error instanceof GatewayError && (error.status < 500 || error.status === 503);
      if (!isExpected) throw error;
      return pageOfChoice(page, wanted);
    }
  }

  private async screenOf(
    shown: ShownPayment,
    instructions: PaymentInstructionsContract | null,
  ): Promise<Screen> {
    const { view } = shown;
    const { status } = shown.state.payment;
    switch (status) {
      case 'OPEN':
        return this.openScreen(shown, instructions);
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

  private async openScreen(
    { state, application, view, page }: ShownPayment,
    instructions: PaymentInstructionsContract | null,
  ): Promise<Screen> {
    const canChange = this.methods.listFor(state.payment, application).length > 1;
    // The usual case first: it needs no estimates.
    if (instructions && !isPicking(page)) return payScreen(view, instructions, canChange);
    const methods = await this.methods.describeFor(state, application);
    const step = stepOf(methods, page, instructions !== null);
    switch (step.kind) {
      case 'pay':
        if (instructions) return payScreen(view, instructions, canChange);
        return coinsScreen(view, methods, null);
      case 'coins':
        return coinsScreen(view, methods, step.problem);
      case 'networks':
        return networksScreen(view, step.coin, step.problem, step.hasOtherCoins);
      case 'confirm':
        return confirmScreen(view, step.method, canChange, step.isOnly);
    }
  }
}

function withCookie(page: RenderedPage, cookie: string | null): RenderedPage {
  return cookie === null ? page : { ...page, headers: { ...page.headers, 'Set-Cookie': cookie } };
}
