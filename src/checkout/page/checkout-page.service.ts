import { Inject, Injectable } from '@nestjs/common';
import type { ApplicationView } from '../../applications/application-view.pure.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import { Clock } from '../../platform/runtime/clock.pure.js';
import { CheckoutLinkError, GatewayError } from '../../platform/errors/errors.pure.js';
import { UUID } from '../../platform/runtime/ids.pure.js';
import { CHECKOUT_LINK, describeLinkMistake } from '../../platform/errors/link-mistake.pure.js';
import { CONFIG, type Config } from '../../config.js';
import { verifyCheckout } from '../../payments/checkout-url.pure.js';
import { awaitsRate } from '../../payments/payment-state-machine.service.js';
import { PaymentPresenter, priced } from '../../payments/payment-presenter.service.js';
import { paymentNotFound, PaymentsService } from '../../payments/payments.service.js';
import type { PaymentAggregate } from '../../payments/payment.pure.js';
import { CheckoutStatusService } from '../checkout-status.service.js';
import { InstructionsService } from '../instructions.service.js';
import type { PaymentInstructionsContract } from '../payment-instructions.contract.js';
import type { MethodName } from '../method-choice.pure.js';
import { PaymentMethodsService } from '../payment-methods.service.js';
import { methodsScreen } from './methods-screen.js';
import { closedScreen, expiredScreen, paidScreen } from './outcome-screens.js';
import type { RenderedPage } from '../../platform/html/page-document.js';
import { describeProblem, pageLink, type PageQuery, readQuery, wantedMethod } from './page-query.js';
import { payScreen } from './pay-screen.js';
import { paymentPage } from './payment-page.js';
import type { PaymentView, Screen } from './screen.js';
import { foundScreen, shortScreen } from './seen-screens.js';
import { shopLink } from './shop-link.js';

/** The instructions, or why there are none. */
type Attempt = { instructions: PaymentInstructionsContract } | { problem: string | null };

/** The hosted checkout page: one signed address, whose screen follows the payment's status. */
@Injectable()
export class CheckoutPageService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly payments: PaymentsService,
    private readonly presenter: PaymentPresenter,
    private readonly applications: ApplicationsService,
    private readonly status: CheckoutStatusService,
    private readonly methods: PaymentMethodsService,
    private readonly instructions: InstructionsService,
  ) {}

  /**
   * @param query as it came
   * @throws CheckoutLinkError for a wrong signature; NotFoundError
   */
  async render(paymentId: string, query: Record<string, unknown>): Promise<RenderedPage> {
    const verdict = this.judgeLink(paymentId, query);
    const page = readQuery(query);
    const before = await this.payments.get(paymentId);
    if (verdict === 'link_expired') {
      const view = await this.viewOf(before, page);
      return paymentPage(view, expiredScreen(view), 403);
    }
    const application = await this.applications.getById(before.payment.applicationId);
    const methodCount = this.methods.listFor(before.payment, application).length;
    const wanted = wantedMethod(before.payment, page, methodCount);
    if (!wanted) return this.show(before, application, page, null);
    const attempt = await this.askForInstructions(before, wanted);
    // Asking selects a method, and may find that the payment cannot go on.
    return this.show(await this.payments.get(paymentId), application, page, attempt);
  }

  /** Checked before anything is loaded, so that ids do not leak (specification/checkout.md#signed-links). */
  private judgeLink(paymentId: string, query: Record<string, unknown>): 'valid' | 'link_expired' {
    if (!UUID.test(paymentId.toLowerCase())) throw paymentNotFound();
    const { checkoutSigningKeys } = this.config;
    const now = this.clock.unixSeconds();
    const verdict = verifyCheckout(checkoutSigningKeys, paymentId, query['expires'], query['signature'], now);
    if (verdict === 'invalid_signature') {
      const hint = describeLinkMistake({ id: paymentId, query, hasToken: false }, CHECKOUT_LINK);
      throw new CheckoutLinkError(verdict, 'Checkout', hint);
    }
    return verdict;
  }

  private async askForInstructions(state: PaymentAggregate, wanted: MethodName): Promise<Attempt> {
    try {
      return { instructions: await this.instructions.get(state, wanted) };
    } catch (error) {
      const isAnswer = error instanceof GatewayError && (error.status < 500 || error.status === 503);
      if (!isAnswer) throw error;
      return { problem: describeProblem(error) };
    }
  }

  private async show(
    state: PaymentAggregate,
    application: ApplicationView,
    page: PageQuery,
    attempt: Attempt | null,
  ): Promise<RenderedPage> {
    const view = await this.viewOf(state, page);
    return paymentPage(view, await this.screenOf(state, application, view, attempt));
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

  private async viewOf(state: PaymentAggregate, page: PageQuery): Promise<PaymentView> {
    const { payment } = state;
    const status = await this.status.describe(state);
    const inPrice = (amount: bigint | null) => (amount === null ? null : priced(payment, amount));
    const isPricing = state.transfers.some(awaitsRate);
    return {
      status,
      shop: shopLink({ redirectUrl: status.redirectUrl, siteUrl: status.merchantSettings.url }, payment),
      transactions: state.transfers.map((transfer) => this.presenter.transaction(state, transfer)),
      isShort: status.remainingAmount.amount > 0n && !isPricing,
      isPricing,
      overpaid: inPrice(payment.overpaidAmount),
      underpaid: inPrice(payment.underpaidAmount),
      link: (parameters) => pageLink(page, parameters),
    };
  }
}
