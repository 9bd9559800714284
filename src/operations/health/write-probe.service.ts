import { Injectable, Logger } from '@nestjs/common';
import { refusesWrites, Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/runtime/clock.pure.js';

/** Milliseconds between two probes. */
const PROBE_EVERY = 1_000;
/** A temporary table needs space for a file of its own, which a full disk and a read-only server refuse. */
const CREATE = 'create temporary table write_probe (filler integer) on commit drop';
const INSERT = 'insert into write_probe values (1)';

/**
 * Whether the database accepts writes: with a full disk or on a read-only server it still serves reads. Nothing is
 * probed unless a write was refused since the last successful probe.
 */
@Injectable()
export class WriteProbe {
  private readonly logger = new Logger('WriteProbe');
  private probed: { at: number; result: Promise<boolean> } | null = null;
  /** Refused writes before the last successful probe. */
  private settled = 0;

  constructor(
    private readonly sql: Sql,
    private readonly clock: Clock,
  ) {}

  /** Probes at most once a second; requests within that time share the result. */
  async acceptsWrites(): Promise<boolean> {
    if (this.sql.refusedWrites === this.settled) return true;
    const now = this.clock.now().getTime();
    if (!this.probed || Math.abs(now - this.probed.at) >= PROBE_EVERY)
      this.probed = { at: now, result: this.probe() };
    return this.probed.result;
  }

  private async probe(): Promise<boolean> {
    const before = this.sql.refusedWrites;
    try {
      await this.sql.transaction(async (tx) => {
        await tx.query(CREATE);
        await tx.query(INSERT);
      });
      this.settled = before;
      return true;
    } catch (error) {
      // Any other failure says nothing about writes; whether the database responds is checked by itself.
      if (!(error instanceof Error) || !refusesWrites(error)) return true;
      this.logger.warn({ error: error.message }, 'the database refuses writes');
      return false;
    }
  }
}
