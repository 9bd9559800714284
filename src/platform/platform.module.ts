import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { AuditLog } from './audit/audit-log.service.js';
import { AuditVerification } from './audit/audit-verification.service.js';
import { Clock } from './runtime/clock.pure.js';
import { dataSourceOptions } from './database/database.js';
import { GracefulShutdown } from './http/graceful-shutdown.js';
import { ClockSync } from './runtime/clock-sync.js';
import { BruteForceThrottle } from './rate-limiting/brute-force-throttle.service.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { Keyring } from './security/keyring.js';
import { Meters } from './observability/meters.pure.js';
import { PollingLoops } from './runtime/polling-loop.js';
import { RateLimits } from './rate-limiting/rate-limits.service.js';
import { KeyRotationService } from './security/key-rotation.service.js';
import { Sql } from './database/sql.js';
import { UnitOfWorkDataSource } from './database/unit-of-work-data-source.js';

/** What every module may inject without importing anything: config, clock, database, keyring, loops. */
@Global()
@Module({})
export class PlatformModule {
  static register(config: Config, clock: Clock): DynamicModule {
    return {
      module: PlatformModule,
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRootAsync({
          useFactory: () => ({
            ...dataSourceOptions(config.databaseUrl, config.databasePoolSize),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
          dataSourceFactory: async (options) => new UnitOfWorkDataSource(options as DataSourceOptions),
        }),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: Keyring, useFactory: () => new Keyring(config.appKeys) },
        Meters,
        Sql,
        AuditLog,
        AuditVerification,
        KeyRotationService,
        ClockSync,
        GracefulShutdown,
        PollingLoops,
        IdempotencyService,
        BruteForceThrottle,
        RateLimits,
      ],
      exports: [
        CONFIG,
        Clock,
        GracefulShutdown,
        Keyring,
        Meters,
        Sql,
        AuditLog,
        AuditVerification,
        KeyRotationService,
        PollingLoops,
        IdempotencyService,
        BruteForceThrottle,
        RateLimits,
      ],
    };
  }
}
