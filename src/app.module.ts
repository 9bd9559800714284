import { type DynamicModule, Module, type Type } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_PIPE } from '@nestjs/core';
import { AccountModule } from './identity/account/account.module.js';
import { AccountsModule } from './operations/accounts/accounts.module.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { ChainWatcherModule } from './chain-watcher/chain-watcher.module.js';
import { ChainsModule } from './chains/chains.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import { CollectionsModule } from './collections/collections.module.js';
import { ConditionModule } from './operations/condition/condition.module.js';
import { DashboardModule } from './dashboard/dashboard.module.js';
import type { Clock } from './platform/kernel/clock.pure.js';
import { PlatformModule } from './platform/platform.module.js';
import { ErrorFilter } from './platform/web/errors/error.filter.js';
import { NotFoundFilter } from './platform/web/errors/not-found.filter.js';
import { IgnoredFieldsGuard } from './platform/web/http/ignored-fields.guard.js';
import { RateLimitGuard } from './platform/web/rate-limiting/rate-limit.guard.js';
import { ContractPipe } from './platform/web/contract/read-contract.js';
import type { Config } from './config.js';
import { HealthModule } from './operations/health/health.module.js';
import { NoticesModule } from './notices/notices.module.js';
import { OAuthModule } from './identity/oauth/oauth.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperatorModule } from './operations/metrics/operator.module.js';
import { OverviewModule } from './overview/overview.module.js';
import { PayoutsModule } from './payouts/payouts.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { RatesModule } from './rates/rates.module.js';
import { ReconciliationModule } from './operations/reconciliation/reconciliation.module.js';
import { RefundsModule } from './refunds/refunds.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { WalletsModule } from './wallets/wallets.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** Every module with routes, jobs or data of its own. Express tries their routes in this order: the busiest come first. */
export const FEATURE_MODULES: readonly Type<object>[] = [
  PaymentsModule,
  CheckoutModule,
  HealthModule,
  OAuthModule,
  AccountModule,
  TokensModule,
  ApplicationsModule,
  RatesModule,
  ChainsModule,
  WalletsModule,
  RefundsModule,
  CollectionsModule,
  PayoutsModule,
  CatalogModule,
  ChainWatcherModule,
  WebhooksModule,
  OverviewModule,
  NoticesModule,
  AccountsModule,
  OperatorModule,
  ConditionModule,
  ReconciliationModule,
  OpenApiModule,
  DashboardModule,
];

/**
 * Joins the modules and registers the global pipe, filters and guards. The access guard is registered by the tokens
 * module.
 */
@Module({})
export class AppModule {
  static register(config: Config, clock: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [PlatformModule.register(config, clock), ...FEATURE_MODULES],
      providers: [
        // Nest asks the last one first.
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_FILTER, useClass: NotFoundFilter },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_GUARD, useClass: IgnoredFieldsGuard },
        { provide: APP_PIPE, useClass: ContractPipe },
      ],
    };
  }
}
