import { Module, type OnApplicationBootstrap } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { ApplicationsModule } from '../applications/applications.module.js';
import { ChainsModule } from '../chains/chains.module.js';
import { OAuthModule } from '../identity/oauth/oauth.module.js';
import { LoopName } from '../platform/kernel/loop-name.pure.js';
import { PollingLoops } from '../platform/database/polling-loop.js';
import { AccountWalletsController } from './account-wallets.controller.js';
import { DefaultWallets } from './default-wallets.service.js';
import { DepositAddressEntity } from './deposit-address.entity.js';
import { DepositAddressRepository } from './deposit-address.repository.js';
import { DepositAddressesService } from './deposit-addresses.service.js';
import { FeeAccounts } from './fee-accounts.service.js';
import { DestinationsController } from './destinations.controller.js';
import { DestinationsService } from './destinations.service.js';
import { AddressGaps } from './earlier-use/address-gaps.service.js';
import { EarlierUse } from './earlier-use/earlier-use.service.js';
import { SpareAddressEntity } from './earlier-use/spare-address.entity.js';
import { SpareAddressRepository } from './earlier-use/spare-address.repository.js';
import { SpareAddresses } from './earlier-use/spare-addresses.service.js';
import { UsedAddresses } from './earlier-use/used-addresses.service.js';
import { StrayReceiptEntity } from './earlier-use/stray-receipt.entity.js';
import { StrayReceiptRepository } from './earlier-use/stray-receipt.repository.js';
import { WalletGapEntity } from './earlier-use/wallet-gap.entity.js';
import { WalletSearchEntity } from './earlier-use/wallet-search.entity.js';
import { WalletSearchRepository } from './earlier-use/wallet-search.repository.js';
import { HoldingEntity } from './holding.entity.js';
import { HoldingRepository } from './holding.repository.js';
import { HoldingsService } from './holdings.service.js';
import { KeyCoverage } from './key-coverage.service.js';
import { TreasuryChecks } from './treasury/treasury-checks.service.js';
import { WalletAuthenticator } from './wallet-authenticator.service.js';
import { WalletActivation } from './wallet-activation.service.js';
import { WalletChangeEntity } from './wallet-change.entity.js';
import { WalletChangeRepository } from './wallet-change.repository.js';
import { WalletChangeNotices } from './wallet-change-notices.service.js';
import { WalletChanges } from './wallet-changes.service.js';
import { WalletChoiceEntity } from './wallet-choice.entity.js';
import { WalletChoiceRepository } from './wallet-choice.repository.js';
import { WalletChoices } from './wallet-choices.service.js';
import { WalletInput } from './wallet-input.service.js';
import { WalletKeys } from './wallet-keys.service.js';
import { WalletEntity } from './wallet.entity.js';
import { WalletRepository } from './wallet.repository.js';
import { WalletRecords } from './wallet-records.service.js';
import { WalletsController } from './wallets.controller.js';
import { WalletsService } from './wallets.service.js';
import { WatchedKeys } from './watched-keys.service.js';

const entities = [
  DepositAddressEntity,
  HoldingEntity,
  WalletChangeEntity,
  WalletChoiceEntity,
  WalletEntity,
  SpareAddressEntity,
  StrayReceiptEntity,
  WalletGapEntity,
  WalletSearchEntity,
];

const CHANGES_INTERVAL_MS = 5_000;
const EARLIER_USE_INTERVAL_MS = 5_000;
const GAPS_INTERVAL_MS = 60_000;

/** Extended public keys, the deposit addresses that are derived from them, and what these have received. */
@Module({
  imports: [TypeOrmModule.forFeature(entities), ApplicationsModule, ChainsModule, OAuthModule],
  controllers: [WalletsController, AccountWalletsController, DestinationsController],
  providers: [
    WalletRepository,
    WalletChangeRepository,
    WalletChoiceRepository,
    DepositAddressRepository,
    HoldingRepository,
    WalletsService,
    KeyCoverage,
    WalletAuthenticator,
    WalletChoices,
    WalletActivation,
    WalletChangeNotices,
    WalletChanges,
    WalletInput,
    WalletKeys,
    DefaultWallets,
    DepositAddressesService,
    DestinationsService,
    FeeAccounts,
    HoldingsService,
    TreasuryChecks,
    WalletRecords,
    WatchedKeys,
    WalletSearchRepository,
    UsedAddresses,
    AddressGaps,
    EarlierUse,
    SpareAddressRepository,
    SpareAddresses,
    StrayReceiptRepository,
  ],
  exports: [
    DefaultWallets,
    DepositAddressesService,
    DestinationsService,
    FeeAccounts,
    HoldingsService,
    SpareAddresses,
    WalletChangeNotices,
    WalletRecords,
    WatchedKeys,
  ],
})
export class WalletsModule implements OnApplicationBootstrap {
  constructor(
    private readonly loops: PollingLoops,
    private readonly changes: WalletChanges,
    private readonly earlierUse: EarlierUse,
    private readonly spares: SpareAddresses,
    private readonly gaps: AddressGaps,
  ) {}

  onApplicationBootstrap(): void {
    this.loops.start({ name: LoopName.WalletChanges, role: 'worker', intervalMs: CHANGES_INTERVAL_MS }, () =>
      this.changes.runOnce(),
    );
    const options = { role: 'worker', intervalMs: EARLIER_USE_INTERVAL_MS } as const;
    this.loops.start({ name: LoopName.EarlierUse, ...options }, () => this.earlierUse.runOnce());
    this.loops.start({ name: LoopName.SpareAddresses, ...options }, () => this.spares.runOnce());
    this.loops.start({ name: LoopName.AddressGaps, role: 'worker', intervalMs: GAPS_INTERVAL_MS }, () =>
      this.gaps.runOnce(),
    );
  }
}
