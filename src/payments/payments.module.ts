import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { PollingLoops } from '../common/polling-loop.js';
import { RatesModule } from '../rates/rates.module.js';
import { AcceptancesService } from './acceptances.service.js';
import { PaymentAudit } from './payment-audit.service.js';
import { PaymentExpiry } from './payment-expiry.service.js';
import { PaymentListService } from './payment-list.service.js';
import { PaymentMover } from './payment-mover.service.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsService } from './payments.service.js';
import { QuotesService } from './quotes.service.js';
import { TransfersService } from './transfers.service.js';

const SWEEP_INTERVAL_MS = 2_000;
const EXPIRY_INTERVAL_MS = 5_000;

/** The payment: asked, observed, announced. The only writer of its status is {@link PaymentMover}. */
@Module({
  imports: [ApplicationsModule, ChainsModule, RatesModule],
  controllers: [PaymentsController],
  providers: [
    PaymentsService,
    AcceptancesService,
    PaymentListService,
    PaymentAudit,
    PaymentExpiry,
    PaymentMover,
    PaymentPresenter,
    QuotesService,
    TransfersService,
  ],
  exports: [PaymentsService, PaymentAudit, PaymentMover, PaymentPresenter, QuotesService, TransfersService],
})
export class PaymentsModule implements OnApplicationBootstrap {
  constructor(
    @Inject(QuotesService) private readonly quotes: QuotesService,
    @Inject(PaymentExpiry) private readonly expiry: PaymentExpiry,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start('worker', 'payments-sweep', SWEEP_INTERVAL_MS, () => this.quotes.runOnce());
    this.loops.start('worker', 'payments-expiry', EXPIRY_INTERVAL_MS, () => this.expiry.runOnce());
  }
}
