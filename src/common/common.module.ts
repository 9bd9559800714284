import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import { CONFIG, type Config } from '../config.js';
import { AuditLog } from './audit-log.service.js';
import { AuditVerification } from './audit-verification.service.js';
import { Clock } from './clock.js';
import { dataSourceOptions } from './database.js';
import { Draining } from './draining.js';
import { ClockSync } from './clock-sync.js';
import { FailedAttempts } from './failed-attempts.service.js';
import { IdempotencyService } from './idempotency.service.js';
import { Keyring } from './keyring.js';
import { Meters } from './meters.js';
import { PollingLoops } from './polling-loop.js';
import { RateLimits } from './rate-limits.service.js';
import { Resealing } from './resealing.service.js';
import { Sql } from './sql.js';

/** What every module may inject without importing anything: config, clock, database, keyring, loops. */
@Global()
@Module({})
export class CommonModule {
  static register(config: Config, clock: Clock): DynamicModule {
    return {
      module: CommonModule,
      imports: [
        ScheduleModule.forRoot(),
        TypeOrmModule.forRoot({
          ...dataSourceOptions(config.databaseUrl, config.databasePoolSize),
          autoLoadEntities: true,
          retryAttempts: 0,
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
        Resealing,
        ClockSync,
        Draining,
        PollingLoops,
        IdempotencyService,
        FailedAttempts,
        RateLimits,
      ],
      exports: [
        CONFIG,
        Clock,
        Draining,
        Keyring,
        Meters,
        Sql,
        AuditLog,
        AuditVerification,
        Resealing,
        PollingLoops,
        IdempotencyService,
        FailedAttempts,
        RateLimits,
      ],
    };
  }
}
