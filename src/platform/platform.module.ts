import { type DynamicModule, Global, Module } from '@nestjs/common';
import { ScheduleModule } from '@nestjs/schedule';
import { TypeOrmModule } from '@nestjs/typeorm';
import type { DataSourceOptions } from 'typeorm';
import { CONFIG, type Config } from '../config.js';
import { AuditAnchorEntity } from './integrity/audit-anchor.entity.js';
import { AuditHeadEntity } from './integrity/audit-head.entity.js';
import { AuditHeads } from './integrity/audit-heads.service.js';
import { AuditHistory } from './integrity/audit-history.service.js';
import { AuditLogEntity } from './integrity/audit-log.entity.js';
import { AuditLogRepository } from './integrity/audit-log.repository.js';
import { AuditLog } from './integrity/audit-log.service.js';
import { AuditMacs } from './integrity/audit-macs.service.js';
import { AuditVerification } from './integrity/audit-verification.service.js';
import { AuditWatch } from './integrity/audit-watch.service.js';
import { AuditWriter } from './integrity/audit-writer.service.js';
import { Clock } from './kernel/clock.pure.js';
import { dataSourceOptions } from './database/database.js';
import { initialize } from './schema/initialize.js';
import { CursorKeyEntity } from './web/cursors/cursor-key.entity.js';
import { CursorKeyRepository } from './web/cursors/cursor-key.repository.js';
import { Cursors } from './web/cursors/cursors.service.js';
import { Exports } from './web/http/exports.service.js';
import { GracefulShutdown } from './web/http/graceful-shutdown.js';
import { ClockSync } from './database/clock-sync.js';
import { BruteForceThrottle } from './web/rate-limiting/brute-force-throttle.service.js';
import { FailedAttemptEntity } from './web/rate-limiting/failed-attempt.entity.js';
import { FailedAttemptRepository } from './web/rate-limiting/failed-attempt.repository.js';
import { IdempotencyKeyEntity } from './web/idempotency/idempotency-key.entity.js';
import { IdempotencyKeyRepository } from './web/idempotency/idempotency-key.repository.js';
import { IdempotencyService } from './web/idempotency/idempotency.service.js';
import { Keyring } from './kernel/keyring.js';
import { Meters } from './kernel/meters.js';
import { RecentReads } from './database/recent-reads.js';
import { PollingLoops } from './database/polling-loop.js';
import { AnsweredRequests } from './web/observability/answered-requests.js';
import { RateLimits } from './web/rate-limiting/rate-limits.service.js';
import { AuthenticatedTableRepository } from './integrity/authenticated-table.repository.js';
import { RowFingerprintRepository } from './integrity/row-fingerprint.repository.js';
import { RowFingerprints } from './integrity/row-fingerprints.service.js';
import { RowAuthenticator } from './integrity/row-authenticator.service.js';
import { KeyRotationService } from './integrity/key-rotation.service.js';
import { Sql } from './database/sql.js';
import { UnitOfWorkDataSource } from './database/unit-of-work-data-source.js';

const entities = [
  AuditAnchorEntity,
  AuditHeadEntity,
  AuditLogEntity,
  CursorKeyEntity,
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
        AnsweredRequests,
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
        RowFingerprintRepository,
        RowFingerprints,
        ClockSync,
        CursorKeyRepository,
        Cursors,
        Exports,
        GracefulShutdown,
        PollingLoops,
        RecentReads,
        IdempotencyKeyRepository,
        IdempotencyService,
        BruteForceThrottle,
        FailedAttemptRepository,
        RateLimits,
      ],
      exports: [
        AnsweredRequests,
        CONFIG,
        Clock,
        Cursors,
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
        RowFingerprints,
        PollingLoops,
        RecentReads,
        IdempotencyService,
        BruteForceThrottle,
        RateLimits,
      ],
    };
  }
}
