import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../../applications/applications.module.js';
import { ChainsModule } from '../../chains/chains.module.js';
import { PaymentsModule } from '../../payments/payments.module.js';
import { WalletsModule } from '../../wallets/wallets.module.js';
import { BatchCheck } from './batch-check.service.js';
import { ChainComparer } from './chain-comparison.service.js';
import { CursorCheck } from './cursor-check.service.js';
import { OwnerChecks } from './owner-checks.service.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { ReconciliationProgressEntity } from './reconciliation-progress.entity.js';
import { ReconciliationProgress } from './reconciliation-progress.service.js';
import { ReconciliationRepository } from './reconciliation.repository.js';
import { Reconciliation } from './reconciliation.service.js';
import { ReconciliationStateEntity } from './reconciliation-state.entity.js';
import { RecordsReader } from './records-reader.service.js';
import { SettingsCheck } from './settings-check.service.js';
import { UnspentOutputs } from './unspent-outputs.service.js';
import { WalletCheck } from './wallet-check.service.js';

/** Proves that the records match the chains, or lists the differences. */
@Module({
  imports: [
    TypeOrmModule.forFeature([ReconciliationProgressEntity, ReconciliationStateEntity]),
    ApplicationsModule,
    ChainsModule,
    PaymentsModule,
    WalletsModule,
  ],
  controllers: [ReconciliationController],
  providers: [
    Reconciliation,
    ReconciliationProgress,
    CursorCheck,
    UnspentOutputs,
    BatchCheck,
    OwnerChecks,
    SettingsCheck,
    WalletCheck,
    RecordsReader,
    ChainComparer,
    ReconciliationRepository,
  ],
})
export class ReconciliationModule {}
