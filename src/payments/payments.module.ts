import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { RatesModule } from '../rates/rates.module.js';
import { UnmatchedTransfersService } from './transfers/unmatched-transfers.service.js';
import { PaymentInvariantsService } from './payment-invariants.service.js';
import { ForeignRows } from './audit/foreign-rows.service.js';
import { PaymentFacts } from './transfers/payment-facts.service.js';
import { PaymentRecordsRepository } from './payment-records.repository.js';
import { PaymentCountChangeEntity } from './payment-count-change.entity.js';
import { PaymentCountEntity } from './payment-count.entity.js';
import { PaymentCountRepository } from './payment-count.repository.js';
import { PaymentSearchRepository } from './payment-search.repository.js';
import { PaymentSearch } from './search/payment-search.service.js';
import { PaymentEventEntity } from './payment-event.entity.js';
import { PaymentStatusHistoryEntity } from './payment-status-history.entity.js';
import { OwnFundsService } from './own-funds/own-funds.service.js';
import { OwnTransferEntity } from './own-funds/own-transfer.entity.js';
import { OwnTransferRepository } from './own-funds/own-transfer.repository.js';
import { PaymentTransferEntity } from './transfers/payment-transfer.entity.js';
import { PaymentEntity } from './payment.entity.js';
import { QuoteEntity } from './quotes/quote.entity.js';
import { PaymentBatchWriter } from './payment-batch-writer.js';
import { PaymentCreationService } from './payment-creation.service.js';
import { PaymentEventRepository } from './payment-event.repository.js';
import { PaymentExpiryRepository } from './payment-expiry.repository.js';
import { PaymentListRepository } from './payment-list.repository.js';
import { PaymentStatusHistoryRepository } from './payment-status-history.repository.js';
import { PaymentTransferRepository } from './transfers/payment-transfer.repository.js';
import { TransferPlaceRepository } from './transfers/transfer-place.repository.js';
import { TooMuchRepository } from './too-much/too-much.repository.js';
import { SummedTransferRepository } from './transfers/summed-transfer.repository.js';
import { PaymentInsertionRepository } from './payment-insertion.repository.js';
import { PaymentRepository } from './payment.repository.js';
import { QuoteRepository } from './quotes/quote.repository.js';
import { PaymentExpiry } from './payment-expiry.service.js';
import { PaymentListService } from './payment-list.service.js';
import { PaymentStateMachine } from './payment-state-machine.service.js';
import { PaymentOverviewController } from './payment-overview.controller.js';
import { PaymentOverviewRepository } from './payment-overview.repository.js';
import { PaymentOverviewService } from './payment-overview.service.js';
import { PaymentPresenter } from './payment-presenter.service.js';
import { PaymentSweep } from './payment-sweep.service.js';
import { Outbox } from './outbox.service.js';
import { PaymentsController } from './payments.controller.js';
import { PaymentsService } from './payments.service.js';
import { ReportedTransactionEntity } from './transfers/reported-transaction.entity.js';
import { ReportedTransactionRepository } from './transfers/reported-transaction.repository.js';
import { ReportedTransactions } from './transfers/reported-transactions.service.js';
import { QuotesService } from './quotes/quotes.service.js';
import { SeparatePayments } from './transfers/separate-payments.service.js';
import { TransfersService } from './transfers/transfers.service.js';
import { UnpaidPaymentsLimit } from './unpaid-payments-limit.service.js';
import { UnpaidPaymentsRepository } from './unpaid-payments.repository.js';
import { PaymentSheets } from './export/payment-sheets.service.js';
import { PaymentExports } from './export/payment-exports.service.js';
import { PaymentExportsController } from './export/payment-exports.controller.js';
import { ReportsController } from './reports/reports.controller.js';
import { ReportsRepository } from './reports/reports.repository.js';
import { ReportsService } from './reports/reports.service.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { TransferExportRepository } from './export/transfer-export.repository.js';

const entities = [
  PaymentEntity,
  PaymentCountEntity,
  PaymentCountChangeEntity,
  PaymentEventEntity,
  PaymentStatusHistoryEntity,
  OwnTransferEntity,
  PaymentTransferEntity,
  QuoteEntity,
  ReportedTransactionEntity,
];

const SWEEP_INTERVAL_MS = 2_000;
const EXPIRY_INTERVAL_MS = 5_000;
const COUNTS_INTERVAL_MS = 2_000;
/** Changes of counts that are added in one transaction. */
const COUNTS_BATCH = 10_000;

const repositories = [
  PaymentRepository,
  PaymentInsertionRepository,
  PaymentListRepository,
  PaymentCountRepository,
  PaymentSearchRepository,
  PaymentSearch,
  PaymentOverviewRepository,
  PaymentRecordsRepository,
  PaymentExpiryRepository,
  PaymentStatusHistoryRepository,
  PaymentEventRepository,
  OwnTransferRepository,
  PaymentTransferRepository,
  TransferPlaceRepository,
  SummedTransferRepository,
  TooMuchRepository,
  QuoteRepository,
  ReportedTransactionRepository,
  UnpaidPaymentsRepository,
  TransferExportRepository,
  ReportsRepository,
];

/** Payments, their quotes and transfers. Only {@link PaymentStateMachine} writes a payment's status. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ApplicationsModule, ChainsModule, RatesModule, WalletsModule],
  controllers: [PaymentExportsController, PaymentsController, ReportsController, PaymentOverviewController],
  providers: [
    ...repositories,
    ForeignRows,
    PaymentFacts,
    Outbox,
    PaymentBatchWriter,
    PaymentCreationService,
    PaymentsService,
    UnpaidPaymentsLimit,
    UnmatchedTransfersService,
    PaymentListService,
    PaymentOverviewService,
    PaymentExports,
    PaymentSheets,
    ReportsService,
    PaymentInvariantsService,
    PaymentExpiry,
    PaymentSweep,
    PaymentStateMachine,
    PaymentPresenter,
    QuotesService,
    ReportedTransactions,
    OwnFundsService,
    SeparatePayments,
    TransfersService,
  ],
  exports: [
    ForeignRows,
    Outbox,
    OwnFundsService,
    PaymentExports,
    PaymentSheets,
    UnmatchedTransfersService,
    PaymentCreationService,
    PaymentListService,
    PaymentsService,
    PaymentInvariantsService,
    PaymentStateMachine,
    PaymentPresenter,
    QuotesService,
    ReportedTransactions,
    SeparatePayments,
    TransfersService,
  ],
})
export class PaymentsModule implements OnApplicationBootstrap {
  constructor(
    @Inject(PaymentSweep) private readonly sweep: PaymentSweep,
    @Inject(PaymentExpiry) private readonly expiry: PaymentExpiry,
    @Inject(PaymentCountRepository) private readonly counts: PaymentCountRepository,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.PaymentSweep, role: 'worker', intervalMs: SWEEP_INTERVAL_MS }, () =>
      this.sweep.runOnce(),
    );
    this.loops.start({ name: LoopName.PaymentExpiry, role: 'worker', intervalMs: EXPIRY_INTERVAL_MS }, () =>
      this.expiry.runOnce(),
    );
    this.loops.start(
      { name: LoopName.PaymentCounts, role: 'worker', intervalMs: COUNTS_INTERVAL_MS },
      async () => (await this.counts.add(COUNTS_BATCH)) === COUNTS_BATCH,
    );
  }
}
