import { Injectable, Logger, type OnModuleDestroy } from '@nestjs/common';
import { migrations } from '../../../migrations/index.js';
import { asOwnWork } from '../../platform/kernel/request-context.js';
import { GracefulShutdown } from '../../platform/web/http/graceful-shutdown.js';
import { Sql } from '../../platform/database/sql.js';
import { WriteProbe } from './write-probe.service.js';
import type { CheckResult, ReadinessContract } from './health.contract.js';

/** Milliseconds; a slower database counts as unavailable. */
const DATABASE_TIMEOUT = 1_000;

/**
 * Whether this process can serve requests. Chains and webhooks do not count: without them the API still works
 * (specification/operations.md#health).
 */
@Injectable()
export class HealthService implements OnModuleDestroy {
  private readonly logger = new Logger('HealthService');

  constructor(
    private readonly sql: Sql,
    private readonly draining: GracefulShutdown,
    private readonly writes: WriteProbe,
  ) {}

  /** Covers `app.close()` without a prior drain. */
  onModuleDestroy(): void {
    this.draining.begin();
  }

  async readiness(): Promise<ReadinessContract> {
    const applied = await this.appliedMigrations();
    const checks = {
      database: result(applied !== null),
      writes: result(applied !== null && (await this.writes.acceptsWrites())),
      migrations: result(applied !== null && migrations.every(({ name }) => applied.has(name))),
      accepting: result(!this.draining.hasBegun),
    };
    const isReady = Object.values(checks).every((check) => check === 'ok');
    return { status: isReady ? 'ok' : 'unavailable', checks };
  }

  /** Names of TypeORM's own table, or null when the database does not respond in time. */
  private async appliedMigrations(): Promise<Set<string> | null> {
    let timer: NodeJS.Timeout | undefined;
    const timeout = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(
        () => reject(new Error(`no response within ${DATABASE_TIMEOUT} ms`)),
        DATABASE_TIMEOUT,
      );
    });
    try {
      const rows = await Promise.race([
        asOwnWork(() => this.sql.query<{ name: string }>('select name from migrations')),
        timeout,
      ]);
      return new Set(rows.map(({ name }) => name));
    } catch (error) {
      this.logger.warn({ err: error }, 'the database does not respond');
      return null;
    } finally {
      clearTimeout(timer);
    }
  }
}

function result(isGood: boolean): CheckResult {
  return isGood ? 'ok' : 'failed';
}
