import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { AuditAnchorEntity } from './audit/audit-anchor.entity.js';
import { AuditHeadEntity } from './audit/audit-head.entity.js';
import { AuditHeads } from './audit/audit-heads.service.js';
import { AuditHistory } from './audit/audit-history.service.js';
import { AuditLogEntity } from './audit/audit-log.entity.js';
import { AuditLogRepository } from './audit/audit-log.repository.js';
import { AuditLog } from './audit/audit-log.service.js';
import { AuditMacs } from './audit/audit-macs.service.js';
import { AuditVerification } from './audit/audit-verification.service.js';
import { AuditWatch } from './audit/audit-watch.service.js';
import { AuditWriter } from './audit/audit-writer.service.js';
import { Clock } from './runtime/clock.pure.js';
import { dataSourceOptions } from './database/database.js';
import { initialize } from './database/initialize.js';
import { Exports } from './http/exports.service.js';
import { GracefulShutdown } from './http/graceful-shutdown.js';
import { ClockSync } from './runtime/clock-sync.js';
import { BruteForceThrottle } from './rate-limiting/brute-force-throttle.service.js';
import { FailedAttemptEntity } from './rate-limiting/failed-attempt.entity.js';
import { FailedAttemptRepository } from './rate-limiting/failed-attempt.repository.js';
import { IdempotencyKeyEntity } from './idempotency/idempotency-key.entity.js';
import { IdempotencyKeyRepository } from './idempotency/idempotency-key.repository.js';
import { NotFoundHints } from './errors/not-found-hints.js';
import { IdempotencyService } from './idempotency/idempotency.service.js';
import { Keyring } from './security/keyring.js';
import { Meters } from './observability/meters.pure.js';
import { RecentReads } from './runtime/recent-reads.js';
import { PollingLoops } from './runtime/polling-loop.js';
import { RateLimits } from './rate-limiting/rate-limits.service.js';
import { AuthenticatedTableRepository } from './security/authenticated-table.repository.js';
import { RowAuthenticator } from './security/row-authenticator.service.js';
import { KeyRotationService } from './security/key-rotation.service.js';
import { Sql } from './database/sql.js';
import { UnitOfWorkDataSource } from './database/unit-of-work-data-source.js';

const entities = [
  AuditAnchorEntity,
  AuditHeadEntity,
  AuditLogEntity,
  FailedAttemptEntity,
  IdempotencyKeyEntity,
];

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
            ...dataSourceOptions(config.databaseUrl, config.databasePoolSize, config.databasePoolMode),
            autoLoadEntities: true,
            retryAttempts: 0,
          }),
          dataSourceFactory: (options) =>
            initialize(new UnitOfWorkDataSource(options as DataSourceOptions), 'DATABASE_URL'),
        }),
        TypeOrmModule.forFeature(entities),
      ],
      providers: [
        { provide: CONFIG, useValue: config },
        { provide: Clock, useValue: clock },
        { provide: Keyring, useFactory: () => new Keyring(config.appKeys) },
        Meters,
        Sql,
        AuditLog,
        AuditLogRepository,
        AuditHeads,
        AuditHistory,
        AuditMacs,
        AuditVerification,
        AuditWatch,
        AuditWriter,
        AuthenticatedTableRepository,
        KeyRotationService,
        RowAuthenticator,
        ClockSync,
        Exports,
        GracefulShutdown,
        PollingLoops,
        RecentReads,
        IdempotencyKeyRepository,
        IdempotencyService,
        NotFoundHints,
        BruteForceThrottle,
        FailedAttemptRepository,
        RateLimits,
      ],
      exports: [
        CONFIG,
        Clock,
        Exports,
        GracefulShutdown,
        Keyring,
        Meters,
        Sql,
        AuditLog,
        AuditHistory,
        AuditVerification,
        KeyRotationService,
        RowAuthenticator,
        PollingLoops,
        RecentReads,
        IdempotencyService,
        NotFoundHints,
        BruteForceThrottle,
        RateLimits,
      ],
    };
  }
}
