import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { CheckoutController } from './checkout.controller.js';
import { CheckoutLinkGuard } from './checkout-link.guard.js';
import { CheckoutLinks } from './checkout-links.service.js';
import { CheckoutStatusService } from './checkout-status.service.js';
import { ConfirmationProgress } from './confirmation-progress.service.js';
import { InstructionKeysController } from './instruction-keys.controller.js';
import { InstructionSigner } from './instruction-signer.service.js';
import { InstructionsPresenter } from './instructions-presenter.service.js';
import { InstructionsService } from './instructions.service.js';
import { MethodSelection } from './method-selection.service.js';
import { CheckoutPageController } from './page/checkout-page.controller.js';
import { CheckoutPageService } from './page/checkout-page.service.js';
import { PaymentViews } from './page/payment-views.service.js';
import { PaymentAddresses } from './payment-addresses.service.js';
import { PaymentInstructionsController } from './payment-instructions.controller.js';
import { PaymentMethodsService } from './payment-methods.service.js';

/** The public endpoints for customers, payment instructions and the hosted page. */
@Module({
  imports: [ApplicationsModule, ChainsModule, PaymentsModule, WalletsModule],
  controllers: [
    CheckoutController,
    PaymentInstructionsController,
    InstructionKeysController,
    CheckoutPageController,
  ],
  providers: [
    CheckoutLinkGuard,
    CheckoutLinks,
    CheckoutStatusService,
    ConfirmationProgress,
    InstructionSigner,
    InstructionsPresenter,
    InstructionsService,
    MethodSelection,
    PaymentAddresses,
    PaymentMethodsService,
    CheckoutPageService,
    PaymentViews,
  ],
})
export class CheckoutModule {}
