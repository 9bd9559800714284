import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { CollectionsModule } from '../collections/collections.module.js';
import { RefundsModule } from '../refunds/refunds.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { PayoutPsbts } from './payout-psbts.service.js';
import { PayoutsController } from './payouts.controller.js';
import { PayoutsService } from './payouts.service.js';

/** Refunds that are owed, as transactions for the merchant's wallet to sign. */
@Module({
  imports: [ApplicationsModule, ChainsModule, CollectionsModule, RefundsModule, WalletsModule],
  controllers: [PayoutsController],
  providers: [PayoutPsbts, PayoutsService],
})
export class PayoutsModule {}
