import { Inject, Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../../applications/applications.module.js';
import { ChainsModule } from '../../chains/chains.module.js';
import { PaymentsModule } from '../../payments/payments.module.js';
import { LoopName } from '../../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../../platform/database/polling-loop.js';
import { WalletsModule } from '../../wallets/wallets.module.js';
import { WebhooksModule } from '../../webhooks/webhooks.module.js';
import { BatchCheck } from './batch-check.service.js';
import { ChainComparer } from './chain-comparison.service.js';
import { CursorCheck } from './cursor-check.service.js';
import { OwnerChecks } from './owner-checks.service.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { ReconciliationProgressEntity } from './reconciliation-progress.entity.js';
import { ReconciliationProgress } from './reconciliation-progress.service.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { Reconciliation } from './reconciliation.service.js';
import { ReconciliationScheduleEntity } from './reconciliation-schedule.entity.js';
import { ReconciliationScheduleRepository } from './reconciliation-schedule.repository.js';
import { ReconciliationScheduleService } from './reconciliation-schedule.service.js';
import { ReconciliationStateEntity } from './reconciliation-state.entity.js';
import { RecordsReader } from './records-reader.service.js';
import { ScheduledReconciliation } from './scheduled-reconciliation.service.js';
import { HoldingsCheck } from './holdings-check.service.js';
import { RowsCheck } from './rows-check.service.js';
import { SettingsCheck } from './settings-check.service.js';
import { UnspentOutputs } from './unspent-outputs.service.js';
import { WalletCheck } from './wallet-check.service.js';

/** Between two parts of a run, and two looks whether one is due. */
const INTERVAL_MS = 5_000;

/** Proves that the records match the chains, or lists the differences. */
@Module({
  imports: [
    TypeOrmModule.forFeature([
      ReconciliationProgressEntity,
      ReconciliationScheduleEntity,
      ReconciliationStateEntity,
    ]),
    ApplicationsModule,
    ChainsModule,
    PaymentsModule,
    WalletsModule,
    WebhooksModule,
  ],
  controllers: [ReconciliationController],
  providers: [
    Reconciliation,
    ReconciliationProgress,
    CursorCheck,
    UnspentOutputs,
    BatchCheck,
    OwnerChecks,
    RowsCheck,
    HoldingsCheck,
    SettingsCheck,
    WalletCheck,
    RecordsReader,
    ChainComparer,
    ReconciliationRepository,
    ReconciliationScheduleRepository,
    ReconciliationScheduleService,
    ScheduledReconciliation,
  ],
})
export class ReconciliationModule implements OnApplicationBootstrap {
  constructor(
    @Inject(ScheduledReconciliation) private readonly scheduled: ScheduledReconciliation,
    @Inject(PollingLoops) private readonly loops: PollingLoops,
  ) {}

  onApplicationBootstrap(): void {
    // Only the watcher's role has access to the nodes.
    this.loops.start({ name: LoopName.Reconciliation, role: 'watcher', intervalMs: INTERVAL_MS }, () =>
      this.scheduled.runOnce(),
    );
  }
}
