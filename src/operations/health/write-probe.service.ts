import { Injectable, Logger } from '@nestjs/common';
import { refusesWrites } from '../../platform/database/database-errors.pure.js';
import { Sql } from '../../platform/database/sql.js';
import { Clock } from '../../platform/kernel/clock.pure.js';

/** Milliseconds between two probes. */
const PROBE_EVERY = 1_000;
/** A sort that does not fit into its memory writes a temporary file, which needs space on the disk of the tables. */
const LITTLE_MEMORY = `select set_config('work_mem', '64kB', true)`;
const WRITE_FILE = `
  select count(*) as sorted, current_setting('transaction_read_only') = 'on' as "isReadOnly"
  from (select from generate_series(1, 20000) as number order by md5(number::text)) as numbers`;

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
      const [written] = await this.sql.transaction(async (tx) => {
        await tx.query(LITTLE_MEMORY);
        return tx.query<{ isReadOnly: boolean }>(WRITE_FILE);
      });
      if (written?.isReadOnly !== false) return this.refuse('it is read-only');
      this.settled = before;
      return true;
    } catch (error) {
      // Any other failure says nothing about writes; whether the database responds is checked by itself.
      if (!(error instanceof Error) || !refusesWrites(error)) return true;
      return this.refuse(error.message);
    }
  }

  private refuse(error: string): false {
    this.logger.warn({ error }, 'the database refuses writes');
    return false;
  }
}
