import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { PayoutsController } from './payouts.controller.js';
import { PayoutsService } from './payouts.service.js';

/** Refunds that are owed, as transactions for the merchant's wallet to sign. */
@Module({
  imports: [ApplicationsModule, ChainsModule, RefundsModule, WalletsModule],
  controllers: [PayoutsController],
  providers: [PayoutsService],
})
export class PayoutsModule {}
