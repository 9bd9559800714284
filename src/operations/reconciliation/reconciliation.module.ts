import { Module } from '@nestjs/common';
import { ChainsModule } from '../../chains/chains.module.js';
import { PaymentsModule } from '../../payments/payments.module.js';
import { WalletsModule } from '../../wallets/wallets.module.js';
import { ChainComparer } from './chain-comparison.service.js';
import { ReconciliationController } from './reconciliation.controller.js';
import { Reconciliation } from './reconciliation.service.js';
import { UnspentOutputs } from './unspent-outputs.service.js';

/** Proves that the records match the chains, or lists the differences. */
@Module({
  imports: [ChainsModule, PaymentsModule, WalletsModule],
  controllers: [ReconciliationController],
  providers: [Reconciliation, ChainComparer, UnspentOutputs],
})
export class ReconciliationModule {}
