import { Module } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { AccountWalletsController } from './account-wallets.controller.js';
import { DefaultWallets } from './default-wallets.service.js';
import { DepositAddressesService } from './deposit-addresses.service.js';
import { HoldingsController } from './holdings.controller.js';
import { HoldingsService } from './holdings.service.js';
import { WalletActivation } from './wallet-activation.service.js';
import { WalletKeys } from './wallet-keys.service.js';
import { Wallet } from './wallet.entity.js';
import { WalletsController } from './wallets.controller.js';
import { WalletsService } from './wallets.service.js';
import { WatchedKeys } from './watched-keys.service.js';

export const entities = [Wallet];

/** Where deposit addresses come from. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ApplicationsModule, ChainsModule],
  controllers: [WalletsController, AccountWalletsController, HoldingsController],
  providers: [
    WalletsService,
    WalletActivation,
    WalletKeys,
    DefaultWallets,
    DepositAddressesService,
    HoldingsService,
    WatchedKeys,
  ],
  exports: [DepositAddressesService, WatchedKeys],
})
export class WalletsModule {}
