import { Injectable } from '@nestjs/common';
import type { AddressFamily } from '../chains/chain.pure.js';
import { rowsOf } from '../platform/database/entity-sql.js';
import { Sql } from '../platform/database/sql.js';
import { PaymentEntity } from './payment.entity.js';
import { IS_UNMATCHED } from './transfers/waiting-funds.pure.js';

// By the index payments_expiry.
const DUE = `
  select id from payments
  where status = 'OPEN' and expiry_check_at is distinct from 'infinity' and coalesce(expiry_check_at, expires_at) <= $1
  order by coalesce(expiry_check_at, expires_at) limit $2`;
const FACTS = `
  select p.id, s.expired_since as "wantedSince",
    exists (select from payment_events e where e.payment_id = p.id and e.type = 'payment.expired') as "isAnnounced",
    array(select family from deposit_addresses d where d.payment_id = p.id) as families,
    exists (select from payment_transfers t where t.payment_id = p.id and ${IS_UNMATCHED}) as "hasUnmatched"
  from payments p join sites s on s.application_id = p.application_id where p.id = any($1::uuid[])`;
// A node can report an outdated tip as its newest block, so the time of that block counts as well.
const SEEN_UNTIL = `
  select c.chain, least(c.caught_up_at, b.block_time) as until
  from chain_cursors c join chain_blocks b on b.chain = c.chain and b.height = c.height and b.hash = c.hash
  where c.chain = any($1::text[]) and c.halted_at is null and c.caught_up_at is not null`;
const CHECK = rowsOf(PaymentEntity, ['id', 'expiryCheckAt']);
const SET_CHECKS = `
  update payments p set expiry_check_at = row.expiry_check_at from ${CHECK.from} where p.id = row.id`;

/** What decides about `payment.expired`, beside the payment's state. */
export interface ExpiryFacts {
  id: string;
  /** Since when the application has received `payment.expired`; null: it does not. */
  wantedSince: Date | null;
  isAnnounced: boolean;
  /** Funds that matter, that were not asked for, and that nobody has accepted or gives back. */
  hasUnmatched: boolean;
  /** Families of the payment's addresses. */
  families: AddressFamily[];
}

/** What the expiry loop reads, and when it returns to a payment. */
@Injectable()
export class PaymentExpiryRepository {
  constructor(private readonly sql: Sql) {}

  /** Ids of open payments that expired, or were to be checked again, by `cutoff`; the longest due first. */
  async listDue(cutoff: Date, limit: number): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(DUE, [cutoff, limit])).map(({ id }) => id);
  }

  listFacts(paymentIds: readonly string[]): Promise<ExpiryFacts[]> {
    return this.sql.query(FACTS, [paymentIds]);
  }

  /** Until when each chain was certainly read completely; halted chains are left out. */
  async seenUntil(chains: readonly string[]): Promise<Map<string, Date>> {
    const rows = await this.sql.query<{ chain: string; until: Date }>(SEEN_UNTIL, [chains]);
    return new Map(rows.map(({ chain, until }) => [chain, until]));
  }

  async setChecks(checks: readonly Pick<PaymentEntity, 'id' | 'expiryCheckAt'>[]): Promise<void> {
    await this.sql.query(SET_CHECKS, CHECK.values(checks));
  }
}
