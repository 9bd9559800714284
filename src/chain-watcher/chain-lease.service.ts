import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { Sql } from '../platform/database/sql.js';

/** A dead holder's lease expires after this, by the database's clock. */
const LEASE_SECONDS = 6;
const RENEW_AFTER_MS = 2_000;

const ACQUIRE = `
  insert into chain_leases (chain, holder, epoch, expires_at)
  values ($1, $2, 1, now() + make_interval(secs => $3))
  on conflict (chain) do update
    set holder = $2, expires_at = now() + make_interval(secs => $3),
      epoch = chain_leases.epoch + case when chain_leases.holder = $2 then 0 else 1 end
    where chain_leases.holder = $2 or chain_leases.expires_at < now()
  returning epoch`;
const RELEASE = `update chain_leases set expires_at = now() - interval '1 second' where holder = $1`;

/**
 * Elects one watcher per chain among all instances. A lease row rather than a session lock works behind a connection
 * pooler; its epoch fences writes of a holder that lost it. The lease saves duplicate work; safety comes from the
 * cursor's compare-and-set.
 */
@Injectable()
export class ChainLeaseService {
  private readonly holder = randomUUID();
  private readonly held = new Map<string, { epoch: number; renewedAt: number }>();
  private isLeaving = false;

  constructor(private readonly sql: Sql) {}

  /** The epoch for writes; null while another instance watches the chain. */
  async acquire(chain: string): Promise<number | null> {
    if (this.isLeaving) return null;
    const held = this.held.get(chain);
    if (held && performance.now() - held.renewedAt < RENEW_AFTER_MS) return held.epoch;
    const [row] = await this.sql.query<{ epoch: string }>(ACQUIRE, [chain, this.holder, LEASE_SECONDS]);
    if (!row) {
      this.held.delete(chain);
      return null;
    }
    const epoch = Number(row.epoch);
    this.held.set(chain, { epoch, renewedAt: performance.now() });
    return epoch;
  }

  /** Another instance moved the cursor: the next turn checks whether the lease is still ours. */
  doubt(chain: string): void {
    this.held.delete(chain);
  }

  /** Lets another instance take over at once; this one acquires no more leases. */
  async releaseAll(): Promise<void> {
    this.isLeaving = true;
    this.held.clear();
    await this.sql.query(RELEASE, [this.holder]);
  }
}
