import { Inject, Injectable } from '@nestjs/common';
import { type ApplicationView } from '../../applications/application-view.js';
import { ApplicationsService } from '../../applications/applications.service.js';
import { ChainsService } from '../../chains/chains.service.js';
import { Clock } from '../../common/clock.js';
import { CheckoutLinkError, GatewayError } from '../../common/errors.js';
import { UUID } from '../../common/ids.js';
import { CONFIG, type Config } from '../../config.js';
import { toAmountDto } from '../../money/amount-dto.js';
import { verifyCheckout } from '../../payments/checkout-url.js';
import { PaymentPresenter, priced } from '../../payments/payment-presenter.service.js';
import { paymentNotFound, PaymentsService } from '../../payments/payments.service.js';
import type { PaymentState, Transfer } from '../../payments/payment.js';
import { CheckoutStatusService } from '../checkout-status.service.js';
import { type Instructions, InstructionsService } from '../instructions.service.js';
import { assetCurrency, PaymentMethodsService } from '../payment-methods.service.js';
import { methodsScreen } from './methods-screen.js';
import { closedScreen, foundScreen, paidScreen, underpaidScreen } from './outcome-screens.js';
import type { RenderedPage } from './page-document.js';
import { payScreen } from './pay-screen.js';
import { paymentPage } from './payment-page.js';
import type { PaymentView, Screen } from './screen.js';
import { shopLink } from './shop-link.js';

/** The query of the page's address: the link's own two parameters, and what the customer picked. */
interface PageQuery {
  expires: string;
  signature: string;
  provider: string | null;
  method: string | null;
  /** Show the list of methods although one is selected. */
  isChoosing: boolean;
}

/** The hosted checkout page: one signed address, whose screen follows the payment's status. */
@Injectable()
export class CheckoutPageService {
  constructor(
    @Inject(CONFIG) private readonly config: Config,
    private readonly clock: Clock,
    private readonly payments: PaymentsService,
    private readonly presenter: PaymentPresenter,
    private readonly applications: ApplicationsService,
    private readonly chains: ChainsService,
    private readonly status: CheckoutStatusService,
    private readonly methods: PaymentMethodsService,
    private readonly instructions: InstructionsService,
  ) {}

  /**
   * @param query as it came; only text counts
   * @throws CheckoutLinkError, NotFoundError
   */
  async render(paymentId: string, query: Record<string, unknown>): Promise<RenderedPage> {
    if (!UUID.test(paymentId.toLowerCase())) throw paymentNotFound();
    const verdict = verifyCheckout(
      this.config.checkoutSigningKeys,
      paymentId,
      query['expires'],
      query['signature'],
      this.clock.unixSeconds(),
    );
    // Before anything is loaded, so that unknown ids do not leak (api.md D1).
    if (verdict === 'invalid_signature') throw new CheckoutLinkError(verdict);
    const page = readQuery(query);
    const state = await this.payments.get(paymentId);
    if (verdict === 'link_expired') return this.expired(state, page);
    const screen = await this.screenOf(state, page);
    if (screen) return paymentPage(await this.viewOf(state, page), screen);
    // The attempt to show instructions closed the payment: what it is now has no instructions.
    const after = await this.payments.get(paymentId);
    return paymentPage(await this.viewOf(after, page), closedScreen(await this.viewOf(after, page), 'ERROR'));
  }
}
