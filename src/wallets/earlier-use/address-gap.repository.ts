import type { Queryable } from '../../platform/database/sql.js';
import { GAP, MOST_ADDRESSES } from './address-gap.pure.js';

export interface AddressRun {
  walletId: string;
  longest: number;
  /** The counter up to which was looked. */
  nextIndex: number;
  /** How far the owner says that their wallet program looks ahead. */
  statedGapLimit: number;
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
  select r.wallet_id as "walletId", greatest(coalesce(max(r.length), 0), 0)::int as longest,
    c.next_index::float8 as "nextIndex", coalesce(g.gap_limit, ${GAP}) as "statedGapLimit"
  from runs r join chosen c on c.id = r.wallet_id left join wallet_gaps g on g.wallet_id = r.wallet_id
  group by r.wallet_id, c.next_index, g.gap_limit`;
const IN_USE = `
  select w.id from wallets w
  where w.retired_at is null and w.masked_key not like 'treasury(%' and w.next_index > $1 order by w.id limit $2`;
// A run grows with the counter, and shrinks when an address in it is paid late, which matters to who was told of it.
const DUE = `
  select w.id from wallets w left join wallet_gaps g on g.wallet_id = w.id
  where w.retired_at is null and w.masked_key not like 'treasury(%' and w.next_index >= ${GAP}
    and (g.wallet_id is null or (g.looked_at < $1 and (g.looked_index <> w.next_index or g.since is not null)))
  order by g.looked_at nulls first, w.id limit $2`;
const SAVE = `
  insert into wallet_gaps (wallet_id, longest, looked_index, looked_at, since)
  select r.id, r.longest, r.at, $4::timestamptz, case when r.longest >= ${GAP} then $4::timestamptz end
  from unnest($1::uuid[], $2::int[], $3::bigint[]) as r (id, longest, at) order by r.id
  on conflict (wallet_id) do update set longest = excluded.longest, looked_index = excluded.looked_index,
    looked_at = excluded.looked_at,
    since = case when excluded.longest >= wallet_gaps.gap_limit then coalesce(wallet_gaps.since, excluded.looked_at) end`;
const STATE = `
  update wallet_gaps set gap_limit = $2,
    since = case when longest >= $2 then coalesce(since, looked_at) end
  where wallet_id = $1`;

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

  /** Active wallets of keys whose longest run may be another one than what was found last. */
  async listDue(before: Date, limit: number): Promise<string[]> {
    return (await this.sql.query<{ id: string }>(DUE, [before, limit])).map(({ id }) => id);
  }

  async save(runs: readonly AddressRun[], at: Date): Promise<void> {
    const columns = [
      runs.map((run) => run.walletId),
      runs.map((run) => run.longest),
      runs.map((run) => run.nextIndex),
    ];
    await this.sql.query(SAVE, [...columns, at]);
  }

  /** Of a wallet whose run was saved. */
  async setGapLimit(walletId: string, gapLimit: number): Promise<void> {
    await this.sql.query(STATE, [walletId, gapLimit]);
  }
}
