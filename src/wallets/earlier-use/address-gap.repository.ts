import type { Queryable } from '../../platform/database/sql.js';
import { MOST_ADDRESSES } from './address-gap.pure.js';

export interface AddressRun {
  walletId: string;
  longest: number;
}

// Runs end at a paid address, at the last used one of another program, and at the next address; the oldest one begins
// where the wallet does, or before the newest addresses. A transaction that was replaced or dropped is none.
const LONGEST = `
  with chosen as (
    select w.id, w.next_index, greatest(w.next_index - ${MOST_ADDRESSES}, 0) - 1 as before
    from wallets w where w.id = any($1::uuid[])
  ), marks as (
    select id as wallet_id, next_index as at from chosen
    union all select id, before from chosen
    union all select c.id, s.first_index + s.skipped - 1 from chosen c join wallet_searches s on s.wallet_id = c.id
      where s.skipped > 0 and s.first_index + s.skipped - 1 > c.before
    union all select c.id, d.derivation_index from chosen c
      join deposit_addresses d on d.wallet_id = c.id and d.derivation_index > c.before
      where exists (select 1 from payment_transfers t where t.payment_id = d.payment_id and t.deposit_address_id = d.id
        and t.state in ('pending', 'confirmed'))
  ), runs as (
    select wallet_id, at - lag(at) over (partition by wallet_id order by at) - 1 as length from marks
  )
  select wallet_id as "walletId", greatest(coalesce(max(length), 0), 0)::int as longest from runs group by wallet_id`;
const IN_USE = `
  select w.id from wallets w
  where w.retired_at is null and w.masked_key not like 'treasury(%' and w.next_index > $1 order by w.id limit $2`;

/** Reads how many addresses in a row were not paid; also without Nest's container, for the doctor. */
export class AddressGapRepository {
  constructor(private readonly sql: Queryable) {}

  /** Of the newest addresses of some wallets, in one statement. */
  longestOf(walletIds: readonly string[]): Promise<AddressRun[]> {
    return this.sql.query(LONGEST, [walletIds]);
  }

  /** Active wallets of keys that have handed out more than some addresses. */
  async listInUse(more: number, limit: number): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(IN_USE, [more, limit])).map(({ id }) => id);
  }
}
