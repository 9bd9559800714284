import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutEventsController } from './checkout-events.controller.js';
import { CheckoutLinkGuard } from './checkout-link.guard.js';
import { CheckoutLinks } from './checkout-links.service.js';
import { CheckoutStatusService } from './checkout-status.service.js';
import { CheckoutStatusTags } from './checkout-status-tags.service.js';
import { CheckoutStreams } from './checkout-streams.service.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { InstructionKeysController } from './instruction-keys.controller.js';
import { InstructionSigner } from './instruction-signer.service.js';
import { InstructionsPresenter } from './instructions-presenter.service.js';
import { InstructionsService } from './instructions.service.js';
import { MethodSelection } from './method-selection.service.js';
import { CheckoutAssetsController } from './page/checkout-assets.controller.js';
import { CheckoutPageController } from './page/checkout-page.controller.js';
import { CheckoutPageService } from './page/checkout-page.service.js';
import { LivePageGuard } from './page/live-page.guard.js';
import { PageAccessService } from './page/page-access.service.js';
import { PaymentErrors } from './page/payment-errors.service.js';
import { PaymentViews } from './page/payment-views.service.js';
import { ReportForm } from './page/report-form.service.js';
import { RefundRequestController } from './page/refund-request.controller.js';
import { RefundRequestPages } from './page/refund-request-pages.service.js';
import { ShopAssetsController } from './page/shop-assets.controller.js';
import { PaymentAddresses } from './payment-addresses.service.js';
import { PaymentInstructionsController } from './payment-instructions.controller.js';
import { PaymentMethodsService } from './payment-methods.service.js';
import { RefundRequestsController } from './refund-requests.controller.js';
import { ReceiptController } from './receipt/receipt.controller.js';
import { ReceiptLinkGuard } from './receipt/receipt-link.guard.js';
import { ReceiptsService } from './receipt/receipts.service.js';
import { TransactionReports } from './transaction-reports.service.js';

/** Milliseconds: pages show a change within a second. */
const STREAM_INTERVAL_MS = 500;

/** The public endpoints for customers, payment instructions, the hosted page and receipts. */
@Module({
  imports: [ApplicationsModule, ChainsModule, PaymentsModule, RefundsModule, WalletsModule],
  controllers: [
    CheckoutController,
    PaymentInstructionsController,
    InstructionKeysController,
    // Before the page: `assets` and `embed.js` are no payments.
    CheckoutAssetsController,
    ShopAssetsController,
    CheckoutPageController,
    RefundRequestController,
    RefundRequestsController,
    CheckoutEventsController,
    ReceiptController,
  ],
  providers: [
    CheckoutLinkGuard,
    CheckoutLinks,
    CheckoutStatusService,
    CheckoutStatusTags,
    CheckoutStreams,
    ConfirmationProgress,
    InstructionSigner,
    InstructionsPresenter,
    InstructionsService,
    MethodSelection,
    PaymentAddresses,
    PaymentMethodsService,
    CheckoutPageService,
    LivePageGuard,
    PageAccessService,
    PaymentErrors,
    PaymentViews,
    ReportForm,
    RefundRequestPages,
    ReceiptLinkGuard,
    ReceiptsService,
    TransactionReports,
  ],
})
export class CheckoutModule implements OnApplicationBootstrap {
  constructor(
    @Inject(CheckoutStreams) private readonly streams: CheckoutStreams,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.CheckoutStreams, role: 'api', intervalMs: STREAM_INTERVAL_MS }, () =>
      this.streams.runOnce(),
    );
  }
}
