import { Injectable } from '@nestjs/common';
import { randomUUID } from 'node:crypto';
import { ChainLeaseRepository } from './chain-lease.repository.js';

/** A dead holder's lease expires after this, by the database's clock. */
const LEASE_SECONDS = 6;
const RENEW_AFTER_MS = 2_000;

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

  constructor(private readonly leases: ChainLeaseRepository) {}

  /** The epoch for writes; null while another instance watches the chain. */
  async acquire(chain: string): Promise<number | null> {
    if (this.isLeaving) return null;
    const held = this.held.get(chain);
    if (held && performance.now() - held.renewedAt < RENEW_AFTER_MS) return held.epoch;
    const lease = await this.leases.acquire(chain, this.holder, LEASE_SECONDS);
    if (!lease) {
      this.held.delete(chain);
      return null;
    }
    this.held.set(chain, { epoch: lease.epoch, renewedAt: performance.now() });
    return lease.epoch;
  }

  /** Renews a lease that this process holds; acquires none. */
  async keep(chain: string): Promise<void> {
    if (this.held.has(chain)) await this.acquire(chain);
  }

  /** Another instance moved the cursor: the next turn checks whether the lease is still ours. */
  doubt(chain: string): void {
    this.held.delete(chain);
  }

  /** Lets another instance take over at once; this one acquires no more leases. */
  async releaseAll(): Promise<void> {
    this.isLeaving = true;
    this.held.clear();
    await this.leases.release(this.holder);
  }
}
