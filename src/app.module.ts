import { type DynamicModule, Module } from '@nestjs/common';
import { APP_FILTER, APP_GUARD, APP_INTERCEPTOR, APP_PIPE } from '@nestjs/core';
import { AccountModule } from './account/account.module.js';
import { ApplicationsModule } from './applications/applications.module.js';
import { CatalogModule } from './catalog/catalog.module.js';
import { ChainWatcherModule } from './chain-watcher/chain-watcher.module.js';
import { ChainsModule } from './chains/chains.module.js';
import { CheckoutModule } from './checkout/checkout.module.js';
import type { Clock } from './common/clock.js';
import { CommonModule } from './common/common.module.js';
import { EnvelopeInterceptor } from './common/envelope.js';
import { ErrorFilter } from './common/error.filter.js';
import { IdempotencyInterceptor } from './common/idempotency.js';
import { IgnoredFieldsInterceptor } from './common/ignored-fields.js';
import { RateLimitGuard } from './common/rate-limit.guard.js';
import { DtoPipe } from './common/read-dto.js';
import type { Config } from './config.js';
import { HealthModule } from './health/health.module.js';
import { OAuthModule } from './oauth/oauth.module.js';
import { OpenApiModule } from './openapi/openapi.module.js';
import { OperatorModule } from './operator/operator.module.js';
import { PaymentsModule } from './payments/payments.module.js';
import { RatesModule } from './rates/rates.module.js';
import { ReconciliationModule } from './reconciliation/reconciliation.module.js';
import { RefundsModule } from './refunds/refunds.module.js';
import { TokensModule } from './tokens/tokens.module.js';
import { WalletsModule } from './wallets/wallets.module.js';
import { WebhooksModule } from './webhooks/webhooks.module.js';

/** The one place that joins the modules and registers the global pipe, filter, guard and interceptors; the guard of access comes with tokens. */
@Module({})
export class AppModule {
  static register(config: Config, clock: Clock): DynamicModule {
    return {
      module: AppModule,
      imports: [
        CommonModule.register(config, clock),
        HealthModule,
        OAuthModule,
        AccountModule,
        TokensModule,
        ApplicationsModule,
        RatesModule,
        ChainsModule,
        WalletsModule,
        PaymentsModule,
        CheckoutModule,
        RefundsModule,
        CatalogModule,
        ChainWatcherModule,
        WebhooksModule,
        OperatorModule,
        ReconciliationModule,
        OpenApiModule,
      ],
      providers: [
        { provide: APP_FILTER, useClass: ErrorFilter },
        { provide: APP_GUARD, useClass: RateLimitGuard },
        { provide: APP_PIPE, useClass: DtoPipe },
        { provide: APP_INTERCEPTOR, useClass: IgnoredFieldsInterceptor },
        // In this order: what is kept for a repeated request is the enveloped answer.
        { provide: APP_INTERCEPTOR, useClass: IdempotencyInterceptor },
        { provide: APP_INTERCEPTOR, useClass: EnvelopeInterceptor },
      ],
    };
  }
}
