import { Inject, Module, type OnApplicationBootstrap, type OnModuleInit } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PaymentsModule } from '../payments/payments.module.js';
import { ForeignRows } from '../payments/audit/foreign-rows.service.js';
import { UnmatchedTransfersService } from '../payments/transfers/unmatched-transfers.service.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { ClaimPageController } from './page/claim-page.controller.js';
import { ClaimPageService } from './page/claim-page.service.js';
import { RefundExportRepository } from './export/refund-export.repository.js';
import { RefundExports } from './export/refund-exports.service.js';
import { RefundExportsController } from './export/refund-exports.controller.js';
import { PayoutPlanner } from './payout-planner.service.js';
import { ClaimLinkGuard } from './claim-link.guard.js';
import { RefundListController } from './refund-list.controller.js';
import { RefundListService } from './refund-list.service.js';
import { RefundNotices } from './refund-notices.service.js';
import { RefundPromises } from './refund-promises.service.js';
import { RefundRequests } from './refund-requests.service.js';
import { RefundClaims } from './refund-claims.service.js';
import { RefundClaimsController } from './refund-claims.controller.js';
import { RefundHistoryEntity } from './refund-history.entity.js';
import { RefundPresenter } from './refund-presenter.service.js';
import { RefundVerifier } from './refund-verifier.service.js';
import { RefundEntity } from './refund.entity.js';
import { RefundRepository } from './refund.repository.js';
import { RefundRows } from './refund-rows.repository.js';
import { RefundsController } from './refunds.controller.js';
import { RefundsService } from './refunds.service.js';
import { OwedRefunds } from './owed-refunds.service.js';
import { ReportedPayouts } from './reported-payouts.service.js';
import { SentRefunds } from './sent-refunds.service.js';

const VERIFY_INTERVAL_MS = 5_000;

const entities = [RefundEntity, RefundHistoryEntity];

/** Refunds: created by the merchant, claimed by the customer, paid from the merchant's own wallet, verified here. */
@Module({
  imports: [
    TypeOrmModule.forFeature(entities),
    ApplicationsModule,
    ChainsModule,
    PaymentsModule,
    WalletsModule,
  ],
  controllers: [
    RefundExportsController,
    RefundsController,
    RefundClaimsController,
    ClaimPageController,
    RefundListController,
  ],
  providers: [
    RefundsService,
    RefundListService,
    RefundRepository,
    RefundRows,
    RefundExportRepository,
    RefundExports,
    PayoutPlanner,
    RefundNotices,
    RefundPromises,
    RefundRequests,
    RefundPresenter,
    RefundVerifier,
    ClaimLinkGuard,
    RefundClaims,
    ClaimPageService,
    SentRefunds,
    OwedRefunds,
    ReportedPayouts,
  ],
  exports: [
    OwedRefunds,
    RefundExports,
    RefundNotices,
    RefundRequests,
    RefundsService,
    RefundPresenter,
    RefundVerifier,
    ReportedPayouts,
    SentRefunds,
  ],
})
export class RefundsModule implements OnModuleInit, OnApplicationBootstrap {
  constructor(
    @Inject(RefundVerifier) private readonly verifier: RefundVerifier,
    @Inject(RefundsService) private readonly refunds: RefundsService,
    @Inject(UnmatchedTransfersService) private readonly unmatched: UnmatchedTransfersService,
    @Inject(RefundRows) private readonly rows: RefundRows,
    @Inject(ForeignRows) private readonly foreign: ForeignRows,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onModuleInit(): void {
    this.unmatched.accepting.listen((transferId) => this.refunds.refusePromised(transferId));
    this.foreign.looking.listen(async ({ paymentIds, found }) => {
      found.push(...(await this.rows.listForeign(paymentIds)));
    });
  }

  onApplicationBootstrap(): void {
    // Only the watcher's role has access to the nodes.
    this.loops.start({ name: LoopName.Refunds, role: 'watcher', intervalMs: VERIFY_INTERVAL_MS }, () =>
      this.verifier.runOnce(),
    );
  }
}
