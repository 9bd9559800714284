import { Injectable } from '@nestjs/common';
import { columnsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { ChainLeaseEntity } from './chain-lease.entity.js';

// A lease that lies further ahead than any holder writes was written by somebody else, and holds nothing.
const EPOCH = columnsOf(ChainLeaseEntity, 'l', ['epoch']);
const ACQUIRE = `
  insert into chain_leases as l (chain, holder, epoch, expires_at)
  values ($1, $2, 1, now() + make_interval(secs => $3))
  on conflict (chain) do update
    set holder = $2, expires_at = now() + make_interval(secs => $3),
      epoch = l.epoch + case when l.holder = $2 then 0 else 1 end
    where l.holder = $2 or l.expires_at not between now() and now() + make_interval(secs => $3) * 2
  returning ${EPOCH.list}`;
const RELEASE = `update chain_leases set expires_at = now() - interval '1 second' where holder = $1`;

/** Leases on chains; times are those of the database's clock. */
@Injectable()
export class ChainLeaseRepository {
  constructor(private readonly sql: Sql) {}

  /** Acquires or renews a lease; null while another holder has it. */
  async acquire(chain: string, holder: string, seconds: number): Promise<{ epoch: number } | null> {
    const [row] = await this.sql.query<object>(ACQUIRE, [chain, holder, seconds]);
    return row ? EPOCH.toEntity(row) : null;
  }

  /** Ends all leases of a holder. */
  async release(holder: string): Promise<void> {
    await this.sql.query(RELEASE, [holder]);
  }
}
