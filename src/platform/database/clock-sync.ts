import { Injectable, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Clock, SystemClock } from '../kernel/clock.pure.js';
import { Sql } from './sql.js';

const INTERVAL_MS = 60_000;

/**
 * Keeps every process on the database's time, which decides leases and expiry (specification/operations.md#processes).
 */
@Injectable()
export class ClockSync implements OnApplicationBootstrap, OnApplicationShutdown {
  private timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly clock: Clock,
    private readonly sql: Sql,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    const { clock } = this;
    if (!(clock instanceof SystemClock)) return;
    await this.synchronise(clock);
    // A failed run keeps the previous offset; the database's health is reported elsewhere.
    this.timer = setInterval(() => void this.synchronise(clock).catch(() => undefined), INTERVAL_MS);
    this.timer.unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.timer);
  }

  private async synchronise(clock: SystemClock): Promise<void> {
    const [row] = await this.sql.query<{ now: Date }>('select clock_timestamp() as now');
    if (row) clock.synchronise(row.now);
  }
}
