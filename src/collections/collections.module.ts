import { Module } from '@nestjs/common';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { RatesModule } from '../rates/rates.module.js';
import { WalletsModule } from '../wallets/wallets.module.js';
import { CollectionsController } from './collections.controller.js';
import { CollectionsService } from './collections.service.js';
import { HoldingAddressExports } from './holding-address-exports.service.js';
import { HoldingAddressesController } from './holding-addresses.controller.js';
import { HoldingAddressesService } from './holding-addresses.service.js';
import { HoldingsController } from './holdings.controller.js';
import { HoldingSumsRepository } from './holding-sums.repository.js';
import { SigningPlans } from './keyed/signing-plans.service.js';
import { NetworkFees } from './network-fees.service.js';
import { ReceivedRepository } from './received.repository.js';
import { SpendableOutputs } from './spendable-outputs.service.js';
import { TreasuryCollections } from './treasury-collections.service.js';
import { ValuedHoldings } from './valued-holdings.service.js';

/** Where received money lies, and transactions that gather it, for a wallet to sign. */
@Module({
  imports: [ApplicationsModule, ChainsModule, RatesModule, WalletsModule],
  controllers: [CollectionsController, HoldingsController, HoldingAddressesController],
  providers: [
    CollectionsService,
    HoldingAddressesService,
    HoldingAddressExports,
    HoldingSumsRepository,
    NetworkFees,
    ReceivedRepository,
    SigningPlans,
    SpendableOutputs,
    TreasuryCollections,
    ValuedHoldings,
  ],
  exports: [SpendableOutputs],
})
export class CollectionsModule {}
